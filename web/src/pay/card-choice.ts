import * as v from 'valibot';
import { hundredths } from '../shop/price';
import type { Card } from '../wire/generated/Card';

/**
 * The customer's last choice of cards (`cards`) and the messaging app (`app`), and the key of the purchase that it was
 * made for.
 */
export const Choice = v.object({
  purchase: v.string(),
  cards: v.array(v.string()),
  app: v.boolean(),
  /** The cards that were chosen when the customer switched the cards off. */
  switchedOff: v.optional(v.array(v.string())),
  /** The cards are switched off for this purchase only, because the payment password is locked. */
  locked: v.optional(v.boolean()),
});
export type Choice = v.InferOutput<typeof Choice>;

/** The maximum number of cards for a payment. The shop rejects more. */
const mostCards = 50;

/**
 * The ids of the chosen cards. `suggested` is true if the app has chosen them and the customer has not changed the
 * choice.
 */
export interface ChosenCards {
  ids: readonly string[];
  suggested: boolean;
}

/**
 * The cards that pay for a purchase. If the last choice was made for the same purchase, they are those of its cards
 * that can still pay. Otherwise cards are suggested until they cover `due` (yuan): first those of the last choice, then
 * the soonest to expire. If the last choice was to use no cards, none are suggested, unless the reason was a locked
 * payment password: then those come first that were chosen before.
 *
 * @param cards The cards that can pay, the soonest to expire first.
 */
export function chosenCards(
  cards: readonly Card[],
  due: string,
  purchase: string,
  last: Choice | undefined,
): ChosenCards {
  const same = last?.purchase === purchase;
  const wanted = (last?.locked && !same ? last.switchedOff : last?.cards) ?? [];
  const kept = wanted.filter((id) => cards.some((card) => card.id === id));
  // If none of the cards that were chosen for this purchase can pay any more, others are suggested.
  const lost = wanted.length > 0 && kept.length === 0;
  if (same && !lost) return { ids: kept, suggested: false };
  if (last && wanted.length === 0) return { ids: [], suggested: false };
  const byPreference = [
    ...kept.flatMap((id) => cards.filter((card) => card.id === id)),
    ...cards.filter((card) => !kept.includes(card.id)),
  ];
  const ids: string[] = [];
  for (const card of byPreference) {
    if (coveredBy(cards, ids, due) >= hundredths(due) || ids.length === mostCards) break;
    ids.push(card.id);
  }
  return { ids, suggested: true };
}

/** The cards that pay if the customer switches cards on: those that were switched off, else the suggested ones. */
export function cardsSwitchedOn(
  cards: readonly Card[],
  due: string,
  purchase: string,
  last: Choice | undefined,
): readonly string[] {
  const before = last?.switchedOff?.length ? { ...last, cards: last.switchedOff } : undefined;
  return chosenCards(cards, due, purchase, before).ids;
}

/** What the chosen cards pay of `due` (yuan), in hundredths. */
export function coveredBy(cards: readonly Card[], ids: readonly string[], due: string): number {
  const points = cards.filter((card) => ids.includes(card.id)).reduce((sum, card) => sum + hundredths(card.price), 0);
  return Math.min(points, hundredths(due));
}
