import * as v from 'valibot';
import type { Card } from '../shop/card';
import { hundredths, isZero } from '../shop/price';
import { text } from '../wire/fields';

/** How a sum is divided between the chosen cards and the messaging app. */
export const Quote = v.object({
  /** What the cards pay, in points with two decimals; a point is a yuan. */
  dkprice: text,
  /** The rest, which the messaging app pays, in yuan with two decimals. */
  wxprice: text,
  /** The ids of the cards that are really used, joined by commas, in the order in which they pay. */
  ka_ids: text,
  total: text,
});
export type Quote = v.InferOutput<typeof Quote>;

export function needsCards(quote: Pick<Quote, 'dkprice'>): boolean {
  return !isZero(quote.dkprice);
}

export function needsApp(quote: Pick<Quote, 'wxprice'>): boolean {
  return !isZero(quote.wxprice);
}

/**
 * How a sum is divided, as text: 福利卡 10.00 点 + 微信支付 ¥69.80. If the messaging app is not chosen (`app`), the text
 * says what is missing. One way that pays all needs no text beside the sum. A line does not end in the plus sign.
 */
export function quoteText(quote: Pick<Quote, 'dkprice' | 'wxprice'>, app: boolean): string | undefined {
  if (!needsApp(quote)) return undefined;
  if (!needsCards(quote)) return app ? undefined : '请选择支付方式';
  const cards = `福利卡\u00a0${quote.dkprice}\u00a0点`;
  return app ? `${cards} +\u00a0微信支付\u00a0¥${quote.wxprice}` : `${cards}，还差\u00a0¥${quote.wxprice}`;
}

/** The text for a failed payment. It differs between cards alone and the messaging app (spec, messages). */
export function failureText(quote: Pick<Quote, 'wxprice'>): string {
  return needsApp(quote) ? '支付失败' : '支付失败！';
}

export interface CardShare {
  card: Card;
  /** Hundredths of a point that this card pays. */
  amount: number;
}

/** What each quoted card pays: its whole balance, in the quote's order, until the deduction is reached. */
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
