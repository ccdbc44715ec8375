import { payFailure } from '../../pay/pay-failure';
import { type End, type PayingOrder, payInApp } from '../../pay/payment-outcome';
import { needsApp, needsCards, type Quote } from '../../pay/quote';
import { type CardOrder, isGivenBack, isUnpaid } from '../../shop/card-order';
import { type Purchase, payPurchaseWithApp, payPurchaseWithCards, purchaseResult } from './till';

type Order = Pick<CardOrder, 'state'>;

/** What the state of an order after a payment means. */
function endOf(order: Order): End {
  if (isUnpaid(order)) return { kind: 'unpaid' };
  if (order.state === 2) return { kind: 'over', words: '已取消' };
  if (order.state === 8) return { kind: 'over', words: '订单已过期' };
  return isGivenBack(order) ? { kind: 'over', words: '支付失败！' } : { kind: 'paid', words: '支付成功！' };
}

/** The order, as long as its payment is under way. */
export function payingOrder(oid: string): PayingOrder<Order> {
  return {
    look: async () => (await purchaseResult(oid)).order,
    waits: isUnpaid,
    endOf,
    kept: '您取消了付款，商品仍为您保留',
  };
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

/**
 * Pays by the cards alone, by the messaging app alone, or by both, as the quote has it. `onPrepared` is called with the order's
 * number before the payment sheet of the messaging app comes up.
 */
export async function attempt(
  { purchase, quote, pass, openid }: Attempt,
  onPrepared: (oid: string) => void,
): Promise<End> {
  const { ka_ids, wxprice } = quote;
  if (!needsApp(quote)) {
    return endOf(await again(purchase, () => payPurchaseWithCards(purchase, { ka_ids, pass })));
  }
  const byApp = { ka_ids, openid, pass: needsCards(quote) ? pass : '', wxprice };
  const prepared = await again(purchase, () => payPurchaseWithApp(purchase, byApp));
  onPrepared(prepared.order_no);
  return payInApp(prepared.jsApiParameters, payingOrder(prepared.order_no));
}
