import { type BridgeWord, pay } from '../../api/bridge';
import { needsApp, needsCards, type Quote } from '../../api/quote';
import { canPay, isRefunding, paymentOutcome, type TicketOrder } from '../../api/ticket-order';
import { settled } from './pay-success';
import { payWithApp } from './pay-with-app';
import { payWithCards } from './pay-with-cards';

export interface Attempt {
  oid: string;
  quote: Quote;
  /** The payment password; empty when no card pays. */
  pass: string;
  openid: string;
}

/** How an attempt to pay ended, and what to say. */
export type End =
  /** Paid, or being given back: the order's own pages tell the rest. */
  | { kind: 'paid'; words: string }
  /** The order waits for its payment still; the customer may try again. */
  | { kind: 'unpaid'; words: string; note?: string | undefined }
  /** The order is dead, and nothing was paid for it. */
  | { kind: 'over'; words: string }
  /** The bridge says it is paid and the shop has not seen the money yet. */
  | { kind: 'unseen'; words: string };

/** What the state of an order after a payment means. The bridge's word only tells how to read "not paid yet". */
export function endOf(order: TicketOrder, word: BridgeWord): End {
  const words = paymentOutcome(order.orderstatus);
  if (canPay(order)) {
    if (word === 'ok') return { kind: 'unseen', words: '支付结果确认中，请稍候' };
    // 已取消 is said of an order that is cancelled; this one is not.
    return { kind: 'unpaid', words, note: word === 'cancel' ? '您取消了付款，座位仍为您保留' : undefined };
  }
  if (['C', 'E', 2, 8].includes(order.orderstatus)) return { kind: 'over', words };
  return { kind: isRefunding(order) ? 'over' : 'paid', words };
}

interface Watch {
  /** Called before the payment sheet of the messaging app comes up. */
  onPrepared?: () => void;
  /** Milliseconds between two looks at the order. */
  pause?: number;
}

/** Pays by the cards alone, by the messaging app alone, or by both, as the quote has it. */
export async function attempt(
  { oid, quote, pass, openid }: Attempt,
  { onPrepared, pause = 1000 }: Watch = {},
): Promise<End> {
  if (!needsApp(quote)) {
    await payWithCards({ oid, ka_ids: quote.ka_ids, pass });
    return { kind: 'paid', words: '支付成功！' };
  }
  const prepared = await payWithApp({
    oid,
    ka_ids: quote.ka_ids,
    openid,
    pass: needsCards(quote) ? pass : '',
    wxprice: quote.wxprice,
  });
  onPrepared?.();
  const word = await pay(prepared.jsApiParameters);
  // After a "no" the shop is asked as well: the money may have moved all the same.
  return endOf(await settled(prepared.order_no, word === 'ok' ? 10 : 2, pause), word);
}
