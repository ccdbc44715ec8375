import * as v from 'valibot';
import { list, numeric, text } from '../wire/fields';
import { Refund } from './refund';

/** What a buyer bought, as it was then. */
const Bought = v.object({
  id: text,
  /** The specification. */
  ggid: text,
  img: text,
  title: text,
  gueige: text,
  /** Until when it can be used, in unix seconds; 0: not said. */
  end_time: numeric,
});

/** Somebody's share of a payment: `id` is a card's, or `wx` for the messaging app. */
const Share = v.object({ id: text, price: text, title: text });
export type Share = v.InferOutput<typeof Share>;

/** The shares, sent as JSON inside a text. An empty text is an empty list; text that is not JSON fails to parse. */
const fuli = v.pipe(
  text,
  v.transform((value) => value || '[]'),
  v.parseJson(),
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
});
export type CardOrder = v.InferOutput<typeof CardOrder>;

type State = Pick<CardOrder, 'state'>;

/** Waits for its payment. */
export function isUnpaid(order: State): boolean {
  return order.state === 0;
}

/** Paid, and the recharge or the code is on its way. */
export function isDelivering(order: State): boolean {
  return order.state === 1 || order.state === 11;
}

export function isDelivered(order: State): boolean {
  return order.state === 4;
}

/** Paid, but nothing came of it: the money goes or went back. */
export function isGivenBack(order: State): boolean {
  return order.state === 7;
}

export function isByApp(share: Share): boolean {
  return share.id === 'wx';
}

export type CardOrderTone = 'due' | 'ok' | 'moving' | 'bad' | 'over';

/** How the state of an order is coloured: something to do, good, under way, gone wrong, or past. */
export function cardOrderTone(order: State): CardOrderTone {
  if (isUnpaid(order)) return 'due';
  if (isDelivered(order)) return 'ok';
  if (isDelivering(order)) return 'moving';
  return isGivenBack(order) ? 'bad' : 'over';
}
