import type { Card } from '../shop/card';
import { hundredths } from '../shop/price';
import type { Quote } from './quote';

export interface Share {
  card: Card;
  /** Hundredths of a point that this card gives. */
  gives: number;
}

/** Which of the quoted cards gives how much: each what it holds, in the quote's order, until the deduction is reached. */
export function shares(quote: Pick<Quote, 'ka_ids' | 'dkprice'>, cards: readonly Card[]): Share[] {
  let left = hundredths(quote.dkprice);
  const result: Share[] = [];
  for (const id of quote.ka_ids.split(',')) {
    const card = cards.find((candidate) => candidate.id === id);
    if (!card) continue;
    const gives = Math.min(left, hundredths(card.price));
    if (gives > 0) result.push({ card, gives });
    left -= gives;
  }
  return result;
}
