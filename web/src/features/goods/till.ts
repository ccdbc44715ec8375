import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { Prepared } from '../../pay/bridge';
import { Quote } from '../../pay/quote';
import { Card } from '../../shop/card';
import { CardOrder } from '../../shop/card-order';
import { postMain, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

/** One piece of a specification that is about to be bought. */
export interface Wish {
  ggid: string;
  /** The account to be recharged; empty for codes. */
  account: string;
  /** The same for every repetition of one intent: however often it is sent, it is one order. */
  key: string;
}

/** What is paid for: a new wish, or the order that came of one and still waits. */
export type Purchase = { kind: 'wish'; wish: Wish } | { kind: 'order'; oid: string; ggid: string };

const number = 1;
const position = 1;
const timeout = 30_000;

export function ggidOf(purchase: Purchase): string {
  return purchase.kind === 'wish' ? purchase.wish.ggid : purchase.ggid;
}

const Purse = v.object({
  card_list: v.array(Card),
  /** Whether the buyer has set a payment password. */
  has_password: v.boolean(),
  /** The buyer's identity in the messaging app, or empty. */
  openid: text,
});
export type Purse = v.InferOutput<typeof Purse>;

/** The cards that can pay for a specification, and what paying takes besides. */
export function purseFor(ggid: string, signal?: AbortSignal) {
  return postMain('/Film/card', { ...token(), ggid }, Purse, { signal });
}

export function purseQuery(ggid: string) {
  return queryOptions({ queryKey: ['purse', ggid], queryFn: ({ signal }) => purseFor(ggid, signal), staleTime: 0 });
}

/** Who pays what if these cards are used. */
export function quotePurchase(purchase: Purchase, cards: readonly string[], signal?: AbortSignal) {
  const what = purchase.kind === 'order' ? { oid: purchase.oid } : { ggid: purchase.wish.ggid, number, position };
  return postMain('/Film/pay_date', { ...token(), fulika: cards.join(','), ...what }, Quote, { signal });
}

export function purchaseQuoteQuery(purchase: Purchase, cards: readonly string[]) {
  const what = purchase.kind === 'order' ? purchase.oid : `sku ${purchase.wish.ggid}`;
  return queryOptions({
    queryKey: ['purchase-quote', what, cards.join(',')],
    queryFn: ({ signal }) => quotePurchase(purchase, cards, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

const State = v.picklist([0, 1, 2, 4, 7, 8, 11]);
const Paid = v.object({ order_no: text, state: State });

export interface ByCards {
  /** Card ids joined by commas, as the quote has them. */
  ka_ids: string;
  pass: string;
}

function fields(purchase: Purchase) {
  if (purchase.kind === 'order') return { oid: purchase.oid };
  const { ggid, account, key } = purchase.wish;
  return { ggid, number, phone: account, position, key };
}

/** Buys, or pays the order, with cards alone. */
export function payPurchaseWithCards(purchase: Purchase, payment: ByCards) {
  return postMain('/Film/flkpay', { ...token(), ...payment, ...fields(purchase) }, Paid, { timeout });
}

export interface ByApp extends ByCards {
  openid: string;
  /** What the customer was shown, so that nobody pays another amount. */
  wxprice: string;
}

/** Reserves the cards' part and prepares the messaging app's. */
export function payPurchaseWithApp(purchase: Purchase, payment: ByApp) {
  const path = purchase.kind === 'order' ? '/Film/wxpay' : '/Kaquan/wxpay';
  return postMain(path, { ...token(), ...payment, ...fields(purchase) }, Prepared, { timeout });
}

const Result = v.object({ order_no: text, state: State, type: numeric, order: CardOrder });

/** The state of the order after a payment; the shop asks the payment provider itself when it does not know yet. */
export function purchaseResult(order_no: string) {
  return postMain('/Kaquan/pay_success', { ...token(), order_no }, Result);
}
