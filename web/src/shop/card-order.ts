import * as v from 'valibot';
import { list, numeric, text } from '../wire/fields';
import { checking } from './checking';
import { Refund, refundedText } from './refund';

/** The goods as they were at the time of the purchase. */
const Bought = v.object({
  id: text,
  /** The id of the specification. */
  ggid: text,
  img: text,
  title: text,
  gueige: text,
  /** The end of validity in unix seconds; 0 if unknown. */
  end_time: numeric,
});

/** A part of a payment. `id` is that of a card, or `wx` for the messaging app. */
const Share = v.object({ id: text, price: text, title: text });
export type Share = v.InferOutput<typeof Share>;

/** The parts of a payment as JSON in a text. An empty text is an empty list; text that is not JSON fails to parse. */
const fuli = v.pipe(
  text,
  v.transform((value): unknown => JSON.parse(value || '[]')),
  v.array(Share),
);

/** An order of member goods. */
export const CardOrder = v.object({
  ord_bs: v.literal(2),
  id: text,
  /** 0 pending, 1 paid, 2 cancelled, 4 delivered, 7 failed or refunded, 8 expired, 11 being recharged. */
  state: v.picklist([0, 1, 2, 4, 7, 8, 11]),
  state_text: text,
  kaquan: Bought,
  /** 1: an account is recharged; 2: the buyer gets virtual codes. */
  type: v.picklist([1, 2]),
  number: numeric,
  /** Yuan with two decimals. */
  total_fee: text,
  /** The account that is recharged; empty for codes. */
  phone: text,
  /** Unix seconds, as is expiretime. */
  add_time: numeric,
  order_no: text,
  fuli,
  expiretime: numeric,
  refunds: list(Refund),
  checking,
  /** Whether the codes and the account are hidden until the account is confirmed. */
  hidden: v.optional(v.boolean()),
});
export type CardOrder = v.InferOutput<typeof CardOrder>;

type State = Pick<CardOrder, 'state'>;

/** Reports whether the order waits for its payment. */
export function isUnpaid(order: State): boolean {
  return order.state === 0;
}

/** Reports whether the order is paid and its recharge or codes are not delivered yet. */
export function isDelivering(order: State): boolean {
  return order.state === 1 || order.state === 11;
}

export function isDelivered(order: State): boolean {
  return order.state === 4;
}

/** Reports whether the order was paid but failed: the payment is or will be refunded. */
export function isFailed(order: State): boolean {
  return order.state === 7;
}

/** Reports whether the whole payment is back. */
export function isRefunded(order: State & Pick<CardOrder, 'state_text'>): boolean {
  return isFailed(order) && order.state_text === refundedText;
}

/** Reports whether the order ended without a delivery: cancelled, expired, failed or refunded. */
export function isOver(order: State): boolean {
  return !isUnpaid(order) && !isDelivering(order) && !isDelivered(order);
}

export function isPaidInApp(share: Share): boolean {
  return share.id === 'wx';
}

export type CardOrderTone = 'due' | 'ok' | 'moving' | 'bad' | 'refunded' | 'over';

/**
 * The tone of an order's state: `due` needs an action, `ok` is complete, `moving` is in progress, `bad` failed,
 * `refunded` failed and its money is back, `over` ended unpaid.
 */
export function cardOrderTone(order: State & Pick<CardOrder, 'state_text'>): CardOrderTone {
  if (isUnpaid(order)) return 'due';
  if (isDelivered(order)) return 'ok';
  if (isDelivering(order)) return 'moving';
  if (isRefunded(order)) return 'refunded';
  return isFailed(order) ? 'bad' : 'over';
}
