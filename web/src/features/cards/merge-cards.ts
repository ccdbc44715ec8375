import { hundredths } from '../../shop/price';
import { post, token } from '../../wire/client';
import type { Card } from '../../wire/generated/Card';
import { CardID } from '../../wire/generated/CardID';
import { MergePreview } from '../../wire/generated/MergePreview';

/** Fetches the preview of a merge, and the code that `mergeCards` has to send to confirm it. */
export function checkMerge(ids: readonly string[], pid: number) {
  return post('/api/api.php/Card/checkmergecards', { ...token(), fulika: ids.join(','), pid }, MergePreview);
}

export function mergeCards(ids: readonly string[], pid: number, code: string) {
  return post('/api/api.php/Card/mergecards', { ...token(), fulika: ids.join(','), pid, code }, CardID);
}

/**
 * The card that remains after a merge, by the rule of the shop: the one with the highest balance, and of several such
 * cards the oldest.
 */
export function keptCard(cards: readonly Card[]): Card | undefined {
  return [...cards].sort(
    (a, b) => hundredths(b.price) - hundredths(a.price) || a.id.localeCompare(b.id, 'en', { numeric: true }),
  )[0];
}

/** The message that says why these cards cannot be merged; undefined if they can be. */
export function validateMerge(cards: readonly Pick<Card, 'pid'>[]): string | undefined {
  if (cards.length < 2) return '暂无可合并卡';
  return cards.some(({ pid }) => pid !== cards[0]?.pid) ? '只可合并同一类型的卡' : undefined;
}
