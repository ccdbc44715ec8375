import type { Hall, HallSeat } from './hall';
import { type Box, pitch, type Size, type View } from './view';

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

/** Where the name of the hall stands, in units of the content: its baseline, and the height of its letters. */
const nameBaseline = 66;
const nameSize = 22;
/** Its font in pixels, and how far down its box the baseline is, as in hall-map.css. */
const nameFont = 12;
const nameAscent = '-75%';

/** Puts the name of the hall at the screen: of one size with the hall, and no larger than text. */
export function nameplate(content: Size, { x, y, k }: View): string {
  const at = `${x + (k * content.width) / 2}px, ${y + k * nameBaseline}px`;
  return `translate(${at}) scale(${Math.min(1, (k * nameSize) / nameFont)}) translate(-50%, ${nameAscent})`;
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
