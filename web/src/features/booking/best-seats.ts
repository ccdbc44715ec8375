import { type Block, blocks, centre, distance, type Point } from './blocks';
import type { Hall, HallSeat } from './hall';
import type { Rules } from './selection';

/** Where the picture and the sound are best: the middle, a little behind the centre. */
export function sweetSpot(hall: Hall): Point {
  return { row: (hall.depth - 1) * 0.62, col: (hall.columns - 1) / 2 };
}

/** The seat the keyboard reaches first: a free one where picture and sound are good. */
export function entrance(hall: Hall): string | undefined {
  const spot = sweetSpot(hall);
  let best: HallSeat | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const row of hall.rows) {
    // A large hall is mostly further away than what was found.
    if (best && distance({ row: row.row, col: spot.col }, spot) > least) continue;
    for (const seat of row.seats) {
      const far = distance(seat, spot) + (seat.available ? 0 : hall.byId.size);
      if (far >= least) continue;
      best = seat;
      least = far;
    }
  }
  return best?.id;
}

const orphanCost = 3;

/**
 * The best free seats for so many people, side by side where the hall still has it, else in two groups as near to each
 * other as can be. Nothing when too few are free.
 */
export function bestSeats(hall: Hall, people: number, rules: Rules): string[] {
  const spot = sweetSpot(hall);
  const cost = (block: Block) =>
    distance(centre(block.seats), spot) + block.orphans * orphanCost + coupleCost(block, people);
  const one = cheapest(blocks(hall, people, rules.oneArea), cost);
  if (one) return ids(one);
  return split(hall, people, rules, cost);
}

/** Two strangers' favourites are not a couples seat: it is taken only when clearly better placed. */
function coupleCost(block: Block, people: number): number {
  return people !== 2 && block.seats.some((seat) => seat.partner !== undefined) ? 4 : 0;
}

function split(hall: Hall, people: number, rules: Rules, cost: (block: Block) => number): string[] {
  let best: { blocks: Block[]; cost: number } | undefined;
  for (let larger = people - 1; larger >= people / 2; larger--) {
    const others = blocks(hall, people - larger, rules.oneArea);
    const firsts = blocks(hall, larger, rules.oneArea)
      .sort((a, b) => cost(a) - cost(b))
      .slice(0, 30);
    for (const first of firsts) {
      const apart = (other: Block) => cost(first) + 2 * distance(centre(first.seats), centre(other.seats));
      const second = cheapest(
        others.filter((other) => disjoint(first, other) && (!rules.oneArea || sameArea(first, other))),
        apart,
      );
      if (second && (!best || apart(second) < best.cost)) best = { blocks: [first, second], cost: apart(second) };
    }
    if (best) break;
  }
  return best ? best.blocks.flatMap(ids) : [];
}

export function cheapest<T>(candidates: readonly T[], cost: (candidate: T) => number): T | undefined {
  let best: T | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const price = cost(candidate);
    if (price < least) {
      best = candidate;
      least = price;
    }
  }
  return best;
}

function disjoint(a: Block, b: Block): boolean {
  return !a.seats.some((seat) => b.seats.some((other) => other.id === seat.id));
}

function sameArea(a: Block, b: Block): boolean {
  return a.seats[0]!.area === b.seats[0]!.area;
}

export function ids(block: Block): string[] {
  return block.seats.map((seat) => seat.id);
}
