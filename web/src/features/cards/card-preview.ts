import * as v from 'valibot';
import { Card } from '../../wire/generated/Card';

const maxDataLength = 4096;
const amount = /^\d{1,9}\.\d{2}$/;
/** Expiry times (unix seconds) from the year 3000 onwards are rejected. */
const maxEndTime = 32_503_680_000;

/**
 * The card in the page's address, shown until the shop answers; undefined if there is none. The address may come from
 * another person, so the fields that are shown are checked.
 */
export function cardFromAddress(query: URLSearchParams): Card | undefined {
  const data = query.get('data') ?? '';
  if (data === '' || data.length > maxDataLength) return undefined;
  try {
    const card = v.parse(Card, JSON.parse(data));
    const plain =
      card.id === query.get('cardid') &&
      card.pid >= 1 &&
      card.pid <= 11 &&
      Number.isInteger(card.pid) &&
      card.name !== '' &&
      card.name.length <= 20 &&
      /^\d{1,32}$/.test(card.num) &&
      amount.test(card.price) &&
      card.end_time > 0 &&
      card.end_time < maxEndTime;
    return plain ? card : undefined;
  } catch {
    return undefined;
  }
}

/** The path of the picture in the page's address, if the picture is on this shop's host; otherwise undefined. */
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
