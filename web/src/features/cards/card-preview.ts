import * as v from 'valibot';
import { Card } from '../../shop/card';

const mostText = 4096;
const amount = /^\d{1,9}\.\d{2}$/;
/** Later than any card ends, and a moment that dates can say. */
const farthest = 32_503_680_000;

/** A card as the address tells it, to show until the shop has answered; whoever made the link may have put anything there. */
export function cardFromAddress(query: URLSearchParams): Card | undefined {
  const data = query.get('data') ?? '';
  if (data === '' || data.length > mostText) return undefined;
  try {
    const card = v.parse(Card, JSON.parse(data));
    const plain =
      card.id === query.get('cardid') &&
      card.pid >= 1 &&
      card.pid <= 11 &&
      Number.isInteger(card.pid) &&
      card.name.length <= 20 &&
      /^\d{1,32}$/.test(card.num) &&
      amount.test(card.price) &&
      card.end_time > 0 &&
      card.end_time < farthest;
    return plain ? card : undefined;
  } catch {
    return undefined;
  }
}

/** The picture under the card that the address names: one of this shop's own, or none. */
export function ownPicture(address: string | null): string | undefined {
  if (!address || address.length > 512) return undefined;
  try {
    const at = new URL(address, window.location.origin);
    return at.origin === window.location.origin && /\.(svg|png|jpe?g|webp)$/i.test(at.pathname)
      ? at.pathname
      : undefined;
  } catch {
    return undefined;
  }
}
