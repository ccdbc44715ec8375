import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { postMovie, token } from '../../api/client';
import { text } from '../../api/fields';
import * as z from '../../api/shape';

const Quote = z.object({
  /** What the cards pay, in yuan. */
  dkprice: text,
  /** What is left for the messaging app, in yuan. */
  wxprice: text,
  /** The cards that are really used, joined by commas. */
  ka_ids: text,
  total: text,
});
export type Quote = z.output<typeof Quote>;

/** Who pays what if these cards are used. */
export function quote(oid: string, cards: readonly string[], signal?: AbortSignal) {
  return postMovie('pay_date', { ...token(), fulika: cards.join(','), oid }, Quote, { signal });
}

export function quoteQuery(oid: string, cards: readonly string[]) {
  return queryOptions({
    queryKey: ['quote', oid, cards.join(',')],
    queryFn: ({ signal }) => quote(oid, cards, signal),
    staleTime: 0,
    // The amounts stay readable while the next ones are worked out.
    placeholderData: keepPreviousData,
  });
}
