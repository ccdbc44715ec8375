import * as v from 'valibot';
import { isZero } from '../shop/price';
import { text } from '../wire/fields';

/** Who pays what if certain cards are used. */
export const Quote = v.object({
  /** What the cards pay, in yuan. */
  dkprice: text,
  /** What is left for the messaging app, in yuan. */
  wxprice: text,
  /** The cards that are really used, joined by commas. */
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

/** The shares in words: 福利卡 10.00 点 + 微信支付 ¥69.80. */
export function sharesText(quote: Pick<Quote, 'dkprice' | 'wxprice'>): string {
  return [
    needsCards(quote) && `福利卡\u00a0${quote.dkprice}\u00a0点`,
    needsApp(quote) && `微信支付\u00a0¥${quote.wxprice}`,
  ]
    .filter(Boolean)
    .join(' + ');
}

/** What is said of a payment that failed: by cards alone, or with the messaging app in it. */
export function failureText(quote: Pick<Quote, 'wxprice'>): string {
  return needsApp(quote) ? '支付失败' : '支付失败！';
}
