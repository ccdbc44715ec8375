import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { post, token } from '../../wire/client';
import { Quote } from '../../wire/generated/Quote';

/** Fetches the quote: how much the cards with these ids pay, and how much is left for the messaging app. */
export function quote(oid: string, cards: readonly string[], signal?: AbortSignal) {
  return post('/movie/route/Movie/pay_date', { ...token(), fulika: cards.join(','), oid }, Quote, { signal });
}

export function quoteQuery(oid: string, cards: readonly string[]) {
  return queryOptions({
    queryKey: ['quote', oid, cards.join(',')],
    queryFn: ({ signal }) => quote(oid, cards, signal),
    staleTime: 0,
    // The amounts stay visible while the next ones are computed.
    placeholderData: keepPreviousData,
  });
}
