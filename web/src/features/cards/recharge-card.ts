import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { Prepared } from '../../pay/bridge';
import { Card } from '../../shop/card';
import { postCard, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const Package = v.object({
  id: text,
  /** Points, with two decimals. */
  num: text,
  /** Yuan, with two decimals. */
  price: text,
  /** What a point costs, as text. */
  danjia: text,
});
export type Package = v.InferOutput<typeof Package>;

const Offer = v.object({ card_num: text, card: Card, taocan: v.array(Package) });

/** A card and what it can be recharged with. */
export function rechargeOffer(khid: string, signal?: AbortSignal) {
  return postCard('chongzhi', { ...token(), khid }, Offer, { signal });
}

export function rechargeOfferQuery(khid: string) {
  return queryOptions({
    queryKey: ['recharge-offer', khid],
    queryFn: ({ signal }) => rechargeOffer(khid, signal),
    enabled: khid !== '',
  });
}

export interface Recharge {
  card_id: string;
  /** Points, with two decimals. */
  num: string;
  /** What the customer was shown, so that nobody pays another amount. */
  price: string;
  /** The package; without one a point is a yuan. */
  taocan?: string;
  openid: string;
  /** The same key again stands for the same order. */
  key: string;
}

/** Makes the order and prepares the messaging app's payment. */
export function rechargeCard(recharge: Recharge) {
  return postCard('czwxpay', { ...token(), ...recharge }, Prepared, { timeout: 30_000 });
}

const Result = v.object({ order_no: text, state: numeric });

/** The state of a recharge; the shop asks the payment provider itself when it does not know yet. */
export function rechargeSuccess(order_no: string) {
  return postCard('cxpay_success', { ...token(), order_no }, Result);
}
