import { queryOptions } from '@tanstack/react-query';
import { CardList } from '../shop/card';
import { postMovie, token } from '../wire/client';

/** The buyer's cards that can pay for tickets, the soonest to expire first. */
export function spendableCards(signal?: AbortSignal) {
  return postMovie('card', token(), CardList, { signal });
}

export const spendableCardsQuery = queryOptions({
  queryKey: ['spendable-cards'],
  queryFn: ({ signal }) => spendableCards(signal),
  select: (answer) => answer.card_list,
  staleTime: 0,
});
