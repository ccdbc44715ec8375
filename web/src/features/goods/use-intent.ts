import { useSessionStorage } from '../../session/use-session-storage';
import { newIdempotencyKey } from '../../wire/idempotency-key';
import * as z from '../../wire/shape';

const Intent = z.object({
  /** The specification; empty until one is chosen. */
  ggid: z.string(),
  account: z.string(),
  key: z.string(),
  /** The order that came of it and waits for its payment; empty before. */
  oid: z.string(),
});

/** What a customer is about to buy of some goods; it outlives a visit to the pages that set a password or name an identity. */
export function useIntent(goods: string) {
  return useSessionStorage(`buy ${goods}`, Intent, { ggid: '', account: '', key: newIdempotencyKey(), oid: '' });
}
