import { cheapest, ids } from './best-seats';
import { blocks, centre, distance } from './blocks';
import { type Hall, type HallSeat, seatsOf } from './hall';
import { type Rules, sift } from './selection';

export interface Rescue {
  /** The picks that survive. */
  kept: readonly string[];
  /** The seats that somebody else has now. */
  lost: readonly HallSeat[];
  /** A whole set of as many seats as before, as near to the old ones as can be; nothing when there is none. */
  offer: readonly string[];
}

/**
 * What becomes of a choice after others were quicker: keeps the surviving seats, names the lost ones and finds the nearest
 * replacement, together with the survivors where that is possible. Nothing when no pick was lost.
 */
export function rescue(hall: Hall, picked: readonly string[], rules: Rules): Rescue | undefined {
  const { kept, lost } = sift(hall, picked);
  if (lost.length === 0) return undefined;
  return { kept, lost: seatsOf(hall, lost), offer: nearest(hall, picked, kept, rules) };
}

function nearest(hall: Hall, picked: readonly string[], kept: readonly string[], rules: Rules): string[] {
  const before = seatsOf(hall, picked);
  if (before.length === 0) return [];
  const middle = centre(before);
  const area = before[0]!.area;
  const near = (size: number) =>
    blocks(hall, size, rules.oneArea)
      .filter((block) => !rules.oneArea || block.seats[0]!.area === area)
      .map((block) => ({ block, far: distance(centre(block.seats), middle) + block.orphans }));

  // All together, around the survivors.
  const around = near(picked.length).filter(({ block }) =>
    kept.every((id) => block.seats.some((seat) => seat.id === id)),
  );
  const together = cheapest(around, ({ far }) => far);
  if (together) return ids(together.block);

  // The survivors where they are, the others as near as possible.
  const free = near(picked.length - kept.length).filter(
    ({ block }) => !block.seats.some((seat) => kept.includes(seat.id)),
  );
  const beside = cheapest(free, ({ far }) => far);
  return beside ? [...kept, ...ids(beside.block)] : [];
}
