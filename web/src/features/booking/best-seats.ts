import type { Hall, HallSeat } from './hall';
import type { Rules } from './selection';

/**
 * A place in the grid of a hall. The numbers are not always integers, because the place may be the average of several
 * seats.
 */
export interface GridPoint {
  row: number;
  col: number;
}

/** The place with the best picture and sound: the middle column, 62 % of the way to the last row. */
export function bestPoint(hall: Hall): GridPoint {
  return { row: (hall.depth - 1) * 0.62, col: (hall.columns - 1) / 2 };
}

/**
 * Half the depth (`row`) and half the width (`col`) of the sweet spot, as fractions of the depth and width of the hall.
 */
const sweetReach = { row: 0.18, col: 0.22 };

/**
 * The rectangle of good places around bestPoint, from its first to its last row and column. Undefined if the hall has
 * fewer than 5 rows, fewer than 8 columns or no free seat.
 */
export function sweetSpot(hall: Hall): { from: GridPoint; to: GridPoint } | undefined {
  if (hall.depth < 5 || hall.columns < 8) return undefined;
  if (!hall.rows.some(({ seats }) => seats.some((seat) => seat.available))) return undefined;
  const { row, col } = bestPoint(hall);
  const rows = Math.round(hall.depth * sweetReach.row);
  const cols = Math.round(hall.columns * sweetReach.col);
  return {
    from: { row: Math.round(row) - rows, col: Math.ceil(col - cols) },
    to: { row: Math.min(hall.depth - 1, Math.round(row) + rows), col: Math.floor(col + cols) },
  };
}

/**
 * The id of the seat that receives the keyboard focus first: the free seat nearest to bestPoint, or if none is free,
 * the nearest seat.
 */
export function initialFocus(hall: Hall): string | undefined {
  const target = bestPoint(hall);
  let best: HallSeat | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const row of hall.rows) {
    // Rows that are farther away than the best seat so far are skipped: in a large hall these are most rows.
    if (best && distance({ row: row.row, col: target.col }, target) > lowest) continue;
    for (const seat of row.seats) {
      const cost = distance(seat, target) + (seat.available ? 0 : hall.byId.size);
      if (cost >= lowest) continue;
      best = seat;
      lowest = cost;
    }
  }
  return best?.id;
}

/** The cost of leaving a single free seat next to a block, expressed as a distance in seats. */
const orphanCost = 3;

/**
 * The ids of the best free seats for a number of people: adjacent seats if a row has enough, otherwise two groups near
 * to each other. The list is empty if neither is possible.
 */
export function bestSeats(hall: Hall, people: number, rules: Rules): string[] {
  const target = bestPoint(hall);
  const cost = (block: SeatBlock) =>
    distance(center(block.seats), target) + block.orphans * orphanCost + coupleCost(block, people);
  const one = cheapest(freeBlocks(hall, people, rules.oneArea), cost);
  if (one) return seatIds(one);
  return bestTwoGroups(hall, people, rules, cost);
}

/** The extra cost of a couples seat for a party that is not a couple, so that such seats stay free for couples. */
function coupleCost(block: SeatBlock, people: number): number {
  return people !== 2 && block.seats.some((seat) => seat.partner !== undefined) ? 4 : 0;
}

/**
 * Splits the people into two groups, of which one is as large as possible, and returns the seats of the two blocks with
 * the lowest cost. For the larger group only the 30 cheapest blocks are tried, which limits the time.
 */
function bestTwoGroups(hall: Hall, people: number, rules: Rules, cost: (block: SeatBlock) => number): string[] {
  let best: { blocks: SeatBlock[]; cost: number } | undefined;
  for (let larger = people - 1; larger >= people / 2; larger--) {
    const others = freeBlocks(hall, people - larger, rules.oneArea);
    const firsts = freeBlocks(hall, larger, rules.oneArea)
      .sort((a, b) => cost(a) - cost(b))
      .slice(0, 30);
    for (const first of firsts) {
      const pairCost = (other: SeatBlock) => cost(first) + 2 * distance(center(first.seats), center(other.seats));
      const second = cheapest(
        others.filter((other) => disjoint(first, other) && (!rules.oneArea || sameArea(first, other))),
        pairCost,
      );
      if (second && (!best || pairCost(second) < best.cost)) best = { blocks: [first, second], cost: pairCost(second) };
    }
    if (best) break;
  }
  return best ? best.blocks.flatMap(seatIds) : [];
}

/** The candidate with the lowest cost, the first one among equals; undefined if there are no candidates. */
export function cheapest<T>(candidates: readonly T[], cost: (candidate: T) => number): T | undefined {
  let best: T | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const price = cost(candidate);
    if (price < lowest) {
      best = candidate;
      lowest = price;
    }
  }
  return best;
}

function disjoint(a: SeatBlock, b: SeatBlock): boolean {
  return !a.seats.some((seat) => b.seats.some((other) => other.id === seat.id));
}

function sameArea(a: SeatBlock, b: SeatBlock): boolean {
  return a.seats[0]!.area === b.seats[0]!.area;
}

export function seatIds(block: SeatBlock): string[] {
  return block.seats.map((seat) => seat.id);
}

/**
 * Adjacent free seats of one row. There is no aisle between them. If a block contains one half of a couples seat, it
 * also contains the other.
 */
export interface SeatBlock {
  seats: readonly HallSeat[];
  /** How many single free seats the block would leave next to it: 0 to 2. Such seats are hard to sell. */
  orphans: number;
}

/** Every block of `size` free seats; with `oneArea` only those within one price area. */
export function freeBlocks(hall: Hall, size: number, oneArea: boolean): SeatBlock[] {
  const found: SeatBlock[] = [];
  for (const { seats } of hall.rows) {
    for (let start = 0; start + size <= seats.length; start++) {
      const run = seats.slice(start, start + size);
      if (!isBlock(run) || (oneArea && run.some((seat) => seat.area !== run[0]!.area))) continue;
      found.push({ seats: run, orphans: countOrphan(seats, start - 1, -1) + countOrphan(seats, start + size, 1) });
    }
  }
  return found;
}

function isBlock(run: readonly HallSeat[]): boolean {
  return run.every((seat, i) => {
    const before = run[i - 1];
    if (!seat.available || (before && before.col + 1 !== seat.col)) return false;
    return seat.partner === undefined || run.some((other) => other.id === seat.partner);
  });
}

/**
 * Returns 1 if the block would leave the seat at index `at` of the row as a single free seat. That is so if the seat is
 * free, adjacent to the block and not half of a couples seat, and the next seat in the direction `away` is not free.
 * Otherwise it returns 0.
 */
function countOrphan(row: readonly HallSeat[], at: number, away: 1 | -1): number {
  const seat = row[at];
  const neighbor = row[at - away];
  if (!seat?.available || seat.partner !== undefined || !neighbor || Math.abs(neighbor.col - seat.col) > 1) return 0;
  const next = row[at + away];
  const free = next?.available && Math.abs(next.col - seat.col) === 1;
  return free ? 0 : 1;
}

/** The average place of some seats. */
export function center(seats: readonly GridPoint[]): GridPoint {
  const sum = seats.reduce((acc, seat) => ({ row: acc.row + seat.row, col: acc.col + seat.col }), { row: 0, col: 0 });
  return { row: sum.row / seats.length, col: sum.col / seats.length };
}

/** The distance between two places, in seats. A distance of one row counts as 1.5 seats. */
export function distance(a: GridPoint, b: GridPoint): number {
  return Math.hypot((a.row - b.row) * 1.5, a.col - b.col);
}
