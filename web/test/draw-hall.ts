import { buildHall, type Hall, type Seat } from '../src/features/booking/hall';

/**
 * Builds a hall from a drawing with a line for each row, starting at the screen: `.` is free, `x` sold, `(` and `)` a
 * free couples seat, `[` and `]` a sold one, a blank an aisle. `areas` has the same shape, with the area of every seat.
 * Prices are 4000 cents, or by area.
 */
export function drawHall(drawing: string[], areas: string[] = [], prices: Record<string, number> = {}): Hall {
  const seats: Seat[] = [];
  drawing.forEach((line, row) => {
    let number = 0;
    [...line].forEach((mark, col) => {
      if (mark === ' ') return;
      number += 1;
      const area = areas[row]?.[col]?.trim() ?? '';
      const half = '(['.includes(mark) ? 'left' : ')]'.includes(mark) ? 'right' : undefined;
      seats.push({
        id: `${row + 1}-${number}`,
        name: `${row + 1}排${number}座`,
        row: row + 1,
        col: col + 1,
        rowName: String(row + 1),
        area,
        price: prices[area] ?? 4000,
        available: '.()'.includes(mark),
        ...(half ? { half } : {}),
      });
    });
  });
  const known = Object.entries(prices).map(([id, price]) => ({ id, name: `${id}区`, price }));
  return buildHall(seats, known);
}
