import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-session-storage';
import { newIdempotencyKey } from '../../wire/idempotency-key';

const Intent = v.object({
  /** The specification; empty until one is chosen. */
  ggid: v.string(),
  account: v.string(),
  key: v.string(),
  /** The order that came of it and waits for its payment; empty before. */
  oid: v.string(),
});

/** What a customer is about to buy of some goods; it outlives a visit to the pages that set a password or name an identity. */
export function useIntent(goods: string) {
  return useSessionStorage(`buy ${goods}`, Intent, { ggid: '', account: '', key: newIdempotencyKey(), oid: '' });
}
