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
 * The purchase that the customer has started. It is stored while the page is left to set a password or for OAuth.
 */
export function useIntent(goods: string) {
  return useSessionStorage(`buy ${goods}`, Intent, { ggid: '', account: '', key: newIdempotencyKey(), oid: '' });
}
