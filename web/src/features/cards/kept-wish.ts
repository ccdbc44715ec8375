import { useState } from 'react';
import * as z from '../../api/shape';

const Wish = z.object({
  /** The chosen package; empty for points of one's own choice. */
  taocan: z.string(),
  /** What stands in the field for those. */
  typed: z.string(),
});
export type Wish = z.output<typeof Wish>;

const none: Wish = { taocan: '', typed: '' };

/** What the customer wants to recharge a card with; it outlives the way to the messaging app and back. */
export function useKeptWish(cardId: string): [Wish, (next: Wish) => void] {
  const key = `recharge ${cardId}`;
  const [wish, setWish] = useState<Wish>(() => {
    try {
      return z.parse(Wish, JSON.parse(sessionStorage.getItem(key) ?? ''));
    } catch {
      return none;
    }
  });
  return [
    wish,
    (next) => {
      setWish(next);
      try {
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // The wish then lasts as long as the page.
      }
    },
  ];
}
