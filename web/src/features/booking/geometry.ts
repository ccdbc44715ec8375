import type { Hall, HallSeat } from './hall';
import { type Box, pitch, type Size } from './view';

/** Grid units around the seats; above them is the screen. */
const side = 10;
const above = 92;
const below = 12;

export function contentSize(hall: Hall): Size {
  return { width: side * 2 + hall.columns * pitch, height: above + hall.depth * pitch + below };
}

/** The middle of a seat in units of the content. */
export function seatCentre(seat: Pick<HallSeat, 'row' | 'col'>): { x: number; y: number } {
  return { x: side + (seat.col + 0.5) * pitch, y: rowCentre(seat.row) };
}

/** What seats take up of the content, in its units. */
export function seatsBox(seats: readonly Pick<HallSeat, 'row' | 'col'>[]): Box {
  const at = seats.map(seatCentre);
  const half = pitch / 2;
  return {
    left: Math.min(...at.map(({ x }) => x)) - half,
    right: Math.max(...at.map(({ x }) => x)) + half,
    top: Math.min(...at.map(({ y }) => y)) - half,
    bottom: Math.max(...at.map(({ y }) => y)) + half,
  };
}

export function rowCentre(row: number): number {
  return above + (row + 0.5) * pitch;
}

/** The seat nearest to a point, no further away than `reach`. */
export function nearestSeat(hall: Hall, point: { x: number; y: number }, reach: number): HallSeat | undefined {
  let best: HallSeat | undefined;
  let least = reach;
  for (const row of hall.rows) {
    if (Math.abs(rowCentre(row.row) - point.y) > reach) continue;
    for (const seat of row.seats) {
      const at = seatCentre(seat);
      const far = Math.hypot(at.x - point.x, at.y - point.y);
      if (far <= least) {
        best = seat;
        least = far;
      }
    }
  }
  return best;
}

/** The curve of the screen across the hall. */
export function screenPath(hall: Hall): string {
  const { width } = contentSize(hall);
  const half = Math.max(90, Math.min(width * 0.42, 420));
  const mid = width / 2;
  return `M${mid - half} 46Q${mid} 18 ${mid + half} 46`;
}

export function screenCone(hall: Hall): string {
  const { width } = contentSize(hall);
  const half = Math.max(90, Math.min(width * 0.42, 420));
  const mid = width / 2;
  return `M${mid - half} 46Q${mid} 18 ${mid + half} 46L${mid + half * 0.86} 78Q${mid} 56 ${mid - half * 0.86} 78Z`;
}
