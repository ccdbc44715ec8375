import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../wire/client';
import { CardList } from '../wire/generated/CardList';

/** The buyer's cards that can pay for tickets, the soonest to expire first. */
export function spendableCards(signal?: AbortSignal) {
  return post('/movie/route/Movie/card', token(), CardList, { signal });
}

export const spendableCardsQuery = queryOptions({
  queryKey: ['spendable-cards'],
  queryFn: ({ signal }) => spendableCards(signal),
  select: (answer) => answer.card_list,
  staleTime: 0,
});
