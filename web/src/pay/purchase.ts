import { isCancelled, isExpired, isFailed, isUnpaid, type State } from '../shop/card-order';
import type { Quote } from '../wire/generated/Quote';
import { appChannel } from './app-channel';
import { type BridgeResult, openPaymentSheet, type Prepared } from './bridge';
import { openH5Page } from './h5-page';
import { payFailure } from './pay-failure';
import { needsApp, needsCards } from './quote';
import type { Remark } from './remark';

/** How an attempt to pay ended, with the text for the customer. */
export type Outcome =
  | { kind: 'paid'; text: string }
  /** The order is still unpaid. The customer may try again. */
  | { kind: 'unpaid'; remark?: Remark | undefined }
  /** The order is cancelled or expired, or its payment is being refunded. */
  | { kind: 'over'; text: string }
  /** The bridge reports success, but the shop has not seen the money yet or could not be reached. */
  | { kind: 'unseen'; text: string };

/** The outcome of paying for goods or points. `failed` is the text if the order was paid but failed. */
export function cardOrderOutcome(order: State, failed: string): Outcome {
  if (isUnpaid(order)) return { kind: 'unpaid' };
  if (isCancelled(order)) return { kind: 'over', text: '已取消' };
  if (isExpired(order)) return { kind: 'over', text: '超时未付' };
  return isFailed(order) ? { kind: 'over', text: failed } : { kind: 'paid', text: '支付成功！' };
}

export interface CardPayment {
  /** Card ids joined by commas, as the quote has them; empty when no card pays. */
  ka_ids: string;
  /** The payment password; empty when no card pays. */
  pass: string;
}

/**
 * Identifies the payer in the messaging app. Inside the messaging app it is the buyer's openid. In another browser
 * (MWEB) the payer is not known: any account of the messaging app may pay.
 */
export type AppPayer = { openid: string } | { trade_type: 'MWEB' };

export type AppPayment = CardPayment &
  AppPayer & {
    /** The amount in yuan that was shown. The shop rejects the payment if it has changed. */
    wxprice: string;
  };

/**
 * What the payment flow needs from a purchase: its order, its calls and its texts. The rest of the flow is the same for
 * tickets, goods and recharges.
 */
export interface Purchase {
  /** The order that is paid. A new purchase has none before its payment is prepared. */
  orderNo?: string;
  /** Pays the entire sum with cards. */
  payWithCards: (payment: CardPayment) => Promise<Outcome>;
  /** Reserves the cards' part and prepares the part of the messaging app. */
  prepareApp: (payment: AppPayment) => Promise<Prepared>;
  /** Queries the order's state from the shop. The outcome is `unpaid` while the order can still be paid. */
  fetchOutcome: (orderNo: string) => Promise<Outcome>;
  /**
   * The page (path and query) to which the messaging app's payment page returns in a browser. The current page by
   * default.
   */
  returnPage?: (orderNo: string) => string;
  /**
   * The text that is shown after the customer has cancelled the messaging app's payment sheet, such as that the seats
   * stay reserved.
   */
  cancelledNote?: string;
}

/**
 * The remark on an order that a later query finds unpaid. It does not say that the payment has failed, because the
 * customer may still be paying in the messaging app.
 */
export const notSeen: Remark = { kind: 'unknown', text: '还没有收到付款' };

/** The remark after the messaging app's payment sheet has failed. */
const notPaid: Remark = { kind: 'failed', text: '微信支付没有完成，可重新支付。' };

const unseen: Outcome = { kind: 'unseen', text: '支付结果确认中，请稍候' };
/** Milliseconds between two queries of an order's state. */
const pollInterval = 1000;

/**
 * Queries the order until it is no longer unpaid or `timeout` milliseconds have passed. A query without an answer is
 * repeated, because a phone that returns from the payment sheet is often offline at first.
 */
async function pollOutcome({ fetchOutcome }: Purchase, orderNo: string, timeout: number): Promise<Outcome> {
  for (const until = Date.now() + timeout; ; ) {
    try {
      const outcome = await fetchOutcome(orderNo);
      if (outcome.kind !== 'unpaid' || Date.now() >= until) return outcome;
    } catch (failure) {
      if (payFailure(failure) !== 'unknown' || Date.now() >= until) throw failure;
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
}

/** Queries the outcome of a payment whose answer was lost, for two seconds. Throws the error of the last query. */
export function queryLostOutcome(purchase: Purchase, orderNo: string): Promise<Outcome> {
  return pollOutcome(purchase, orderNo, 2 * pollInterval);
}

export interface Attempt {
  quote: Quote;
  /** The payment password; empty when no card pays. */
  pass: string;
  openid: string;
}

/**
 * Pays with cards, in the messaging app, or with both, according to the quote. `onPrepared` is called with the order's
 * number before the messaging app's payment sheet or page opens. The shop decides the outcome. The bridge's result is
 * used only if the order is still unpaid or the shop does not answer.
 */
export async function attemptPayment(
  purchase: Purchase,
  { quote, pass, openid }: Attempt,
  onPrepared: (orderNo: string) => void,
): Promise<Outcome> {
  const { ka_ids, wxprice } = quote;
  if (!needsApp(quote)) return purchase.payWithCards({ ka_ids, pass });
  const prepared = await purchase.prepareApp({
    ka_ids,
    ...(appChannel() === 'h5' ? { trade_type: 'MWEB' } : { openid }),
    pass: needsCards(quote) ? pass : '',
    wxprice,
  });
  const { order_no } = prepared;
  onPrepared(order_no);
  const result =
    'h5_url' in prepared
      ? await openH5Page(prepared.h5_url, order_no, purchase.returnPage?.(order_no))
      : await openPaymentSheet(prepared.jsApiParameters);
  try {
    // Query the shop even if the payment sheet reports a failure, because the customer may have paid anyway.
    const outcome = await pollOutcome(purchase, order_no, (result === 'ok' ? 9 : 1) * pollInterval);
    return outcome.kind === 'unpaid' ? unpaidAfter(result, purchase.cancelledNote) : outcome;
  } catch (failure) {
    if (result === 'ok' && payFailure(failure) === 'unknown') return unseen;
    throw failure;
  }
}

function unpaidAfter(result: BridgeResult | 'left', cancelledNote: string | undefined): Outcome {
  if (result === 'ok') return unseen;
  if (result === 'left') return { kind: 'unpaid', remark: notSeen };
  if (result !== 'cancel') return { kind: 'unpaid', remark: notPaid };
  // The text 已取消 is reserved for cancelled orders. This order can still be paid.
  return { kind: 'unpaid', remark: cancelledNote ? { kind: 'cancelled', text: cancelledNote } : undefined };
}
