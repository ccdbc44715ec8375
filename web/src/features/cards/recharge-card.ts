import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { Prepared } from '../../pay/bridge';
import type { AppPayer } from '../../pay/purchase';
import { Card } from '../../shop/card';
import { postCard, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const Package = v.object({
  id: text,
  /** Points, with two decimals. */
  num: text,
  /** Yuan, with two decimals. */
  price: text,
  /** The price of a point, as text. */
  danjia: text,
});
export type Package = v.InferOutput<typeof Package>;

const Offer = v.object({ card_num: text, card: Card, taocan: v.array(Package) });

/** Fetches a card and the packages to recharge it. */
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

export type Recharge = AppPayer & {
  card_id: string;
  /** Points, with two decimals. */
  num: string;
  /** The price that was shown. The shop refuses the order if its price differs. */
  price: string;
  /** The id of the package. Without one, each point costs one yuan. */
  taocan?: string;
  /** The idempotency key: calls with the same key create one order. */
  key: string;
};

/** Creates the order and prepares the messaging app's payment. */
export function rechargeCard(recharge: Recharge) {
  return postCard('czwxpay', { ...token(), ...recharge }, Prepared, { timeout: 30_000 });
}

const Result = v.object({ order_no: text, state: numeric });

/** Fetches the state of a recharge. The shop queries the payment provider if it does not know the state yet. */
export function rechargeSuccess(order_no: string) {
  return postCard('cxpay_success', { ...token(), order_no }, Result);
}
