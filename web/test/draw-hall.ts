import { buildHall, type Hall, type Seat } from '../src/features/booking/hall';

/**
 * Builds a hall from a drawing with a line for each row, beginning with the row nearest to the cinema screen: `.` is a
 * free seat, `x` a sold one, `(` and `)` a free couples seat, `[` and `]` a sold one, a blank an aisle. `areas` has the
 * same shape, with the id of the price area of each seat. A seat costs 4000 fen, or the price of its area in `prices`.
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
