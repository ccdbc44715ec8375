import { useSessionStorage } from '../../session/use-session-storage';
import * as z from '../../wire/shape';

const Wish = z.object({
  /** The chosen package; empty for points of one's own choice. */
  taocan: z.string(),
  /** What stands in the field for those. */
  typed: z.string(),
});
export type Wish = z.output<typeof Wish>;

/** What the customer wants to recharge a card with; it outlives the way to the messaging app and back. */
export function useRechargeIntent(cardId: string): [Wish, (next: Wish) => void] {
  return useSessionStorage(`recharge ${cardId}`, Wish, { taocan: '', typed: '' });
}
