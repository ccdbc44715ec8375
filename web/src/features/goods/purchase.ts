import { type BridgeWord, pay } from '../../api/bridge';
import { type CardOrder, isGivenBack, isUnpaid } from '../../api/card-order';
import { payFailure } from '../../api/pay-failure';
import { needsApp, needsCards, type Quote } from '../../api/quote';
import { type Purchase, payPurchaseWithApp, payPurchaseWithCards, purchaseResult } from './till';

/** How an attempt to pay ended, and what to say. */
export type End =
  | { kind: 'paid'; words: string }
  /** The order waits for its payment still; the customer may try again. */
  | { kind: 'unpaid'; words: string; note?: string | undefined }
  /** The order is dead, or its money goes back. */
  | { kind: 'over'; words: string }
  /** The bridge says it is paid and the shop has not seen the money yet. */
  | { kind: 'unseen'; words: string };

/** What the state of an order after a payment means. The bridge's word only tells how to read "not paid yet". */
export function endOf(order: Pick<CardOrder, 'state'>, word: BridgeWord): End {
  if (isUnpaid(order)) {
    if (word === 'ok') return { kind: 'unseen', words: '支付结果确认中，请稍候' };
    return { kind: 'unpaid', words: '支付失败', note: word === 'cancel' ? '您取消了付款，商品仍为您保留' : undefined };
  }
  if (order.state === 2) return { kind: 'over', words: '已取消' };
  if (order.state === 8) return { kind: 'over', words: '订单已过期' };
  return isGivenBack(order) ? { kind: 'over', words: '支付失败！' } : { kind: 'paid', words: '支付成功！' };
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks until the order no longer waits for its payment, or patience ends: money takes a moment to be seen. */
export async function settled(order_no: string, tries: number, pause = 1000): Promise<Pick<CardOrder, 'state'>> {
  for (let left = tries; ; left -= 1) {
    const { order } = await purchaseResult(order_no);
    if (!isUnpaid(order) || left <= 1) return order;
    await wait(pause);
  }
}

/** A wish may be sent again when nobody knows whether it arrived: under its key it stays one order. */
async function again<T>(purchase: Purchase, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (failure) {
    if (purchase.kind !== 'wish' || payFailure(failure) !== 'unknown') throw failure;
    return send();
  }
}

export interface Attempt {
  purchase: Purchase;
  quote: Quote;
  /** The payment password; empty when no card pays. */
  pass: string;
  openid: string;
}

interface Watch {
  /** Called with the order's number before the payment sheet of the messaging app comes up. */
  onPrepared: (oid: string) => void;
  /** Milliseconds between two looks at the order. */
  pause?: number;
}

/** Pays by the cards alone, by the messaging app alone, or by both, as the quote has it. */
export async function attempt({ purchase, quote, pass, openid }: Attempt, { onPrepared, pause }: Watch): Promise<End> {
  const { ka_ids, wxprice } = quote;
  if (!needsApp(quote)) {
    return endOf(await again(purchase, () => payPurchaseWithCards(purchase, { ka_ids, pass })), 'fail');
  }
  const byApp = { ka_ids, openid, pass: needsCards(quote) ? pass : '', wxprice };
  const prepared = await again(purchase, () => payPurchaseWithApp(purchase, byApp));
  onPrepared(prepared.order_no);
  const word = await pay(prepared.jsApiParameters);
  // After a "no" the shop is asked as well: the money may have moved all the same.
  return endOf(await settled(prepared.order_no, word === 'ok' ? 10 : 2, pause), word);
}
