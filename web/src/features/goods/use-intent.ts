import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-own-storage';
import { newIdempotencyKey } from '../../wire/idempotency-key';

const Intent = v.object({
  /** The id of the specification; empty until one is chosen. */
  ggid: v.string(),
  account: v.string(),
  key: v.string(),
  /** The number of the unpaid order; empty before there is one. */
  oid: v.string(),
});

/**
 * The purchase of goods that the customer has started. It is stored in the browser tab, so that it is still there after
 * the page was left to set a payment password or for OAuth.
 */
export function useIntent(goods: string) {
  return useSessionStorage(`buy ${goods}`, Intent, { ggid: '', account: '', key: newIdempotencyKey(), oid: '' });
}
