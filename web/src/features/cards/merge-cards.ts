import * as v from 'valibot';
import type { Card } from '../../shop/card';
import { hundredths } from '../../shop/price';
import { postCard, token } from '../../wire/client';
import { text } from '../../wire/fields';

const MergeCheck = v.object({
  /** The numbers of the cards that are merged into the other, separated by commas. */
  del_ka_str: text,
  /** The number of the card that remains. */
  hb_ka_str: text,
  /** The points that are transferred. */
  del_ka_price: text,
  /** The balance of the remaining card after the merge. */
  hb_ka_price: text,
  /** The single-use code that confirms exactly this merge. */
  code: text,
});
export type MergeCheck = v.InferOutput<typeof MergeCheck>;

const Merged = v.object({ id: text });

/** Fetches the preview of a merge and the code that confirms it. */
export function checkMerge(ids: readonly string[], pid: number) {
  return postCard('checkmergecards', { ...token(), fulika: ids.join(','), pid }, MergeCheck);
}

export function mergeCards(ids: readonly string[], pid: number, code: string) {
  return postCard('mergecards', { ...token(), fulika: ids.join(','), pid, code }, Merged);
}

/** The card that remains after a merge by the shop's rule: the one with the highest balance, the oldest of several. */
export function keptCard(cards: readonly Card[]): Card | undefined {
  return [...cards].sort(
    (a, b) => hundredths(b.price) - hundredths(a.price) || a.id.localeCompare(b.id, 'en', { numeric: true }),
  )[0];
}

/** The message that says why these cards cannot be merged; undefined if they can. */
export function refuseMerge(cards: readonly Pick<Card, 'pid'>[]): string | undefined {
  if (cards.length < 2) return '暂无可合并卡';
  return cards.some(({ pid }) => pid !== cards[0]?.pid) ? '只可合并同一类型的卡' : undefined;
}
