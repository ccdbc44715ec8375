import * as v from 'valibot';
import type { Card } from '../../shop/card';
import { postCard, token } from '../../wire/client';
import { text } from '../../wire/fields';

const MergeCheck = v.object({
  /** Numbers of the cards that end, joined by commas. */
  del_ka_str: text,
  /** The number of the card that stays. */
  hb_ka_str: text,
  /** The points that move. */
  del_ka_price: text,
  /** What the card that stays will hold. */
  hb_ka_price: text,
  /** Confirms exactly this, once. */
  code: text,
});
export type MergeCheck = v.InferOutput<typeof MergeCheck>;

const Merged = v.object({ id: text });

/** What merging the cards would do, and the code that confirms it. */
export function checkMerge(ids: readonly string[], pid: number) {
  return postCard('checkmergecards', { ...token(), fulika: ids.join(','), pid }, MergeCheck);
}

export function mergeCards(ids: readonly string[], pid: number, code: string) {
  return postCard('mergecards', { ...token(), fulika: ids.join(','), pid, code }, Merged);
}

/** Why these cards cannot be merged, or nothing. */
export function refuseMerge(cards: readonly Pick<Card, 'pid'>[]): string | undefined {
  if (cards.length < 2) return '暂无可合并卡';
  return cards.some(({ pid }) => pid !== cards[0]?.pid) ? '只可合并同一类型的卡' : undefined;
}
