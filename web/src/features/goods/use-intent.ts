import { newKey } from '../../api/new-key';
import * as z from '../../api/shape';
import { useKept } from '../../api/use-kept';

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
  return useKept(`buy ${goods}`, Intent, { ggid: '', account: '', key: newKey(), oid: '' });
}
