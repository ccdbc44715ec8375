import { type End, type PayingOrder, payInApp } from '../../pay/payment-outcome';
import { needsApp, needsCards, type Quote } from '../../pay/quote';
import { canPay, isPaid, paymentOutcome, type TicketOrder } from '../../shop/ticket-order';
import { paySuccess } from './pay-success';
import { payWithApp } from './pay-with-app';
import { payWithCards } from './pay-with-cards';

export interface Attempt {
  oid: string;
  quote: Quote;
  /** The payment password; empty when no card pays. */
  pass: string;
  openid: string;
}

/** What the state of an order after a payment means. */
export function endOf(order: TicketOrder): End {
  return { kind: isPaid(order) ? 'paid' : 'over', words: paymentOutcome(order.orderstatus) };
}

/** The order, as long as its payment is under way. */
export function payingOrder(oid: string): PayingOrder<TicketOrder> {
  return {
    look: async () => (await paySuccess(oid)).order,
    waits: canPay,
    endOf,
    kept: '您取消了付款，座位仍为您保留',
  };
}

/** Pays by the cards alone, by the messaging app alone, or by both, as the quote has it. */
export async function attempt({ oid, quote, pass, openid }: Attempt, prepared: () => void): Promise<End> {
  const { ka_ids, wxprice } = quote;
  if (!needsApp(quote)) {
    await payWithCards({ oid, ka_ids, pass });
    return { kind: 'paid', words: '支付成功！' };
  }
  const byApp = await payWithApp({ oid, ka_ids, openid, pass: needsCards(quote) ? pass : '', wxprice });
  prepared();
  return payInApp(byApp.jsApiParameters, payingOrder(byApp.order_no));
}
