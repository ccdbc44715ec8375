import type { Hall, HallSeat } from './hall';

/** Where an arrow, Home or End leads from a seat: across aisles, and to the nearest seat of another row. */
export function neighbour(hall: Hall, from: HallSeat, key: string): HallSeat | undefined {
  const at = hall.rows.findIndex((row) => row.row === from.row);
  const seats = hall.rows[at]?.seats ?? [];
  const place = seats.findIndex((seat) => seat.id === from.id);
  switch (key) {
    case 'ArrowLeft':
      return seats[place - 1];
    case 'ArrowRight':
      return seats[place + 1];
    case 'Home':
      return seats[0];
    case 'End':
      return seats.at(-1);
    case 'ArrowUp':
      return nearestIn(hall.rows[at - 1]?.seats, from.col);
    case 'ArrowDown':
      return nearestIn(hall.rows[at + 1]?.seats, from.col);
    default:
      return undefined;
  }
}

function nearestIn(seats: readonly HallSeat[] | undefined, col: number): HallSeat | undefined {
  return seats?.reduce((best, seat) => (Math.abs(seat.col - col) < Math.abs(best.col - col) ? seat : best));
}
