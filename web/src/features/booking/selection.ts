import { type Hall, seatGroup, seatsOf } from './hall';

/** The largest number of seats in one order, which is a rule of the specification. The shop checks it as well. */
export const maxSeats = 4;

export const tooManyText = '每组订单最多选择四个座位';
export const mixedAreasText = '请选择相同区域座位，不同区域请分开下单';

/** Rules of a source for the seats of one order. */
export interface Rules {
  /** Whether all seats of an order must be in one price area, as newmovie requires. */
  oneArea: boolean;
}

/** The result of a tap: the new selection, or a message that says why it is unchanged. */
export type Choice = { picked: readonly string[] } | { rejected: string };

/**
 * Selects or deselects a seat, and with it the other half of a couples seat. For a sold or unknown seat the selection
 * stays as it is. If a rule forbids to add the seat, the result is the message to show.
 */
export function toggle(hall: Hall, picked: readonly string[], id: string, rules: Rules): Choice {
  const seat = hall.byId.get(id);
  const group = seatGroup(hall, id);
  if (group.some((member) => picked.includes(member))) {
    return { picked: picked.filter((other) => !group.includes(other)) };
  }
  if (!seat?.available) return { picked };
  if (picked.length + group.length > maxSeats) return { rejected: tooManyText };
  if (rules.oneArea && seatsOf(hall, picked).some((other) => other.area !== seat.area))
    return { rejected: mixedAreasText };
  return { picked: [...picked, ...group] };
}

/** The sum of the seats' prices in fen. */
export function total(hall: Hall, picked: readonly string[]): number {
  return seatsOf(hall, picked).reduce((sum, seat) => sum + seat.price, 0);
}

/**
 * Separates the selected seats that are still available (`kept`) from those that are not (`lost`). If one half of a
 * couples seat is lost, both are.
 */
export function partitionPicks(hall: Hall, picked: readonly string[]): { kept: string[]; lost: string[] } {
  const kept = picked.filter((id) => {
    const group = seatGroup(hall, id);
    return group.length > 0 && group.every((member) => hall.byId.get(member)?.available && picked.includes(member));
  });
  return { kept, lost: picked.filter((id) => !kept.includes(id)) };
}
