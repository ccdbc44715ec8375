import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-own-storage';
import { newIdempotencyKey } from '../../wire/idempotency-key';

const Intent = v.object({
  /** The id of the specification; empty until one is chosen. */
  ggid: v.string(),
  account: v.string(),
  key: v.string(),
  /** The number of the order that waits for its payment; empty before there is one. */
  oid: v.string(),
});

/**
 * The purchase that the customer has begun. It is stored while the customer visits the pages for the password or for
 * OAuth.
 */
export function useIntent(goods: string) {
  return useSessionStorage(`buy ${goods}`, Intent, { ggid: '', account: '', key: newIdempotencyKey(), oid: '' });
}
