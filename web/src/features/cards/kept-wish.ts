import * as z from '../../api/shape';
import { useKept } from '../../api/use-kept';

const Wish = z.object({
  /** The chosen package; empty for points of one's own choice. */
  taocan: z.string(),
  /** What stands in the field for those. */
  typed: z.string(),
});
export type Wish = z.output<typeof Wish>;

/** What the customer wants to recharge a card with; it outlives the way to the messaging app and back. */
export function useKeptWish(cardId: string): [Wish, (next: Wish) => void] {
  return useKept(`recharge ${cardId}`, Wish, { taocan: '', typed: '' });
}
