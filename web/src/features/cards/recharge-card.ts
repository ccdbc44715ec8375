import { queryOptions } from '@tanstack/react-query';
import { readPrepared } from '../../pay/bridge';
import type { AppPayer } from '../../pay/purchase';
import { longTimeout, post, token } from '../../wire/client';
import { Prepaid } from '../../wire/generated/Prepaid';
import { RechargePage } from '../../wire/generated/RechargePage';
import { RechargeResult } from '../../wire/generated/RechargeResult';

/** Fetches a card and the packages to recharge it. */
export function rechargeOffer(khid: string, signal?: AbortSignal) {
  return post('/api/api.php/Card/chongzhi', { ...token(), khid }, RechargePage, { signal });
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
  /** The price that was shown. The shop rejects the order if the price has changed. */
  price: string;
  /** The id of the package. Without one, each point costs one yuan. */
  taocan?: string;
  /** The idempotency key: calls with the same key create one order. */
  key: string;
};

/** Creates the order and prepares the messaging app's payment. */
export async function rechargeCard(recharge: Recharge) {
  return readPrepared(
    await post('/api/api.php/Card/czwxpay', { ...token(), ...recharge }, Prepaid, { timeout: longTimeout }),
  );
}

/**
 * Fetches the state of a recharge order. The shop queries the messaging app if it does not know yet whether the order
 * is paid.
 */
export function rechargeSuccess(order_no: string) {
  return post('/api/api.php/Card/cxpay_success', { ...token(), order_no }, RechargeResult);
}
