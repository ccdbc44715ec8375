import type { Hall, HallSeat } from './hall';

/** Free seats side by side, without an aisle between and without half a couples seat. */
export interface Block {
  seats: readonly HallSeat[];
  /** Places beside the block where it would leave one single seat that nobody wants. */
  orphans: number;
}

/** Every block of `size` free seats; `fits` can ask more of each of them (an area, say). */
export function blocks(hall: Hall, size: number, oneArea: boolean): Block[] {
  const found: Block[] = [];
  for (const { seats } of hall.rows) {
    for (let start = 0; start + size <= seats.length; start++) {
      const run = seats.slice(start, start + size);
      if (!whole(run) || (oneArea && run.some((seat) => seat.area !== run[0]!.area))) continue;
      found.push({ seats: run, orphans: lonely(seats, start - 1, -1) + lonely(seats, start + size, 1) });
    }
  }
  return found;
}

function whole(run: readonly HallSeat[]): boolean {
  return run.every((seat, i) => {
    const before = run[i - 1];
    if (!seat.available || (before && before.col + 1 !== seat.col)) return false;
    return seat.partner === undefined || run.some((other) => other.id === seat.partner);
  });
}

/** 1 when the seat at `at` is free and alone between the block and whatever is on its other side. */
function lonely(row: readonly HallSeat[], at: number, away: 1 | -1): number {
  const seat = row[at];
  const neighbour = row[at - away];
  if (!seat?.available || seat.partner !== undefined || !neighbour || Math.abs(neighbour.col - seat.col) > 1) return 0;
  const next = row[at + away];
  const free = next?.available && Math.abs(next.col - seat.col) === 1;
  return free ? 0 : 1;
}

export interface Point {
  row: number;
  col: number;
}

/** The middle of some seats. */
export function centre(seats: readonly Point[]): Point {
  const sum = seats.reduce((acc, seat) => ({ row: acc.row + seat.row, col: acc.col + seat.col }), { row: 0, col: 0 });
  return { row: sum.row / seats.length, col: sum.col / seats.length };
}

/** How far apart two places are for people: another row weighs more than another seat. */
export function distance(a: Point, b: Point): number {
  return Math.hypot((a.row - b.row) * 1.5, a.col - b.col);
}
