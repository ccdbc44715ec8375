import { type Hall, seatsOf, together } from './hall';

/** The most seats one order may hold. */
export const maxSeats = 4;

export const tooManyText = '每组订单最多选择四个座位';
export const mixedAreasText = '请选择相同区域座位，不同区域请分开下单';

export interface Rules {
  /** All seats of an order stand in one price area (the newer source). */
  oneArea: boolean;
}

export type Choice = { picked: readonly string[] } | { refused: string };

/** Chooses a seat or gives it back, couples seats as one. A sold seat changes nothing. */
export function toggle(hall: Hall, picked: readonly string[], id: string, rules: Rules): Choice {
  const seat = hall.byId.get(id);
  const group = together(hall, id);
  if (group.some((member) => picked.includes(member))) {
    return { picked: picked.filter((other) => !group.includes(other)) };
  }
  if (!seat?.available) return { picked };
  if (picked.length + group.length > maxSeats) return { refused: tooManyText };
  if (rules.oneArea && seatsOf(hall, picked).some((other) => other.area !== seat.area))
    return { refused: mixedAreasText };
  return { picked: [...picked, ...group] };
}

/** What the seats cost together, in cents. */
export function total(hall: Hall, picked: readonly string[]): number {
  return seatsOf(hall, picked).reduce((sum, seat) => sum + seat.price, 0);
}

/** The picks that can still be had and those that cannot, couples seats as one. */
export function sift(hall: Hall, picked: readonly string[]): { kept: string[]; lost: string[] } {
  const kept = picked.filter((id) => {
    const group = together(hall, id);
    return group.length > 0 && group.every((member) => hall.byId.get(member)?.available && picked.includes(member));
  });
  return { kept, lost: picked.filter((id) => !kept.includes(id)) };
}
