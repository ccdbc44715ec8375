import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-session-storage';

const Wish = v.object({
  /** The chosen package; empty for points of one's own choice. */
  taocan: v.string(),
  /** What stands in the field for those. */
  typed: v.string(),
});
export type Wish = v.InferOutput<typeof Wish>;

/** What the customer wants to recharge a card with; it outlives the way to the messaging app and back. */
export function useRechargeIntent(cardId: string): [Wish, (next: Wish) => void] {
  return useSessionStorage(`recharge ${cardId}`, Wish, { taocan: '', typed: '' });
}
