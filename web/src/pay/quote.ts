import { hundredths, isZero } from '../shop/price';
import type { Card } from '../wire/generated/Card';
import type { Quote } from '../wire/generated/Quote';

export function needsCards(quote: Pick<Quote, 'dkprice'>): boolean {
  return !isZero(quote.dkprice);
}

export function needsApp(quote: Pick<Quote, 'wxprice'>): boolean {
  return !isZero(quote.wxprice);
}

/**
 * The caption of the sum next to the pay button. `app` says whether the messaging app is chosen to pay what the cards
 * do not cover.
 */
export function dueCaption(quote: Pick<Quote, 'wxprice'>, app: boolean): '福利卡支付' | '还需支付' | '请选择支付方式' {
  if (!needsApp(quote)) return '福利卡支付';
  return app ? '还需支付' : '请选择支付方式';
}

/**
 * The text for a failed payment. The specification has one for payments with the messaging app and another, with an
 * exclamation mark, for payments with cards only.
 */
export function failureText(quote: Pick<Quote, 'wxprice'>): string {
  return needsApp(quote) ? '支付失败' : '支付失败！';
}

export interface CardShare {
  card: Card;
  /** Hundredths of a point that this card pays. */
  amount: number;
}

/**
 * What each card of the quote pays. In the order of the quote, each pays with its entire balance until the cards' part
 * of the sum (`dkprice`) is reached.
 */
export function cardShares(quote: Pick<Quote, 'ka_ids' | 'dkprice'>, cards: readonly Card[]): CardShare[] {
  let left = hundredths(quote.dkprice);
  const shares: CardShare[] = [];
  for (const id of quote.ka_ids.split(',')) {
    const card = cards.find((candidate) => candidate.id === id);
    if (!card) continue;
    const amount = Math.min(left, hundredths(card.price));
    if (amount > 0) shares.push({ card, amount });
    left -= amount;
  }
  return shares;
}
