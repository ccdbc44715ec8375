import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../wire/client';
import { CardList } from '../wire/generated/CardList';

/**
 * Which cards are listed, and in which order: 1 all usable cards, 2 those about to expire, 3 all usable cards by points
 * ascending, 4 all usable cards by points descending.
 */
export type CardFilter = 1 | 2 | 3 | 4;

export function listCards(flag: CardFilter, signal?: AbortSignal) {
  return post('/api/api.php/Card/lists', { ...token(), flag }, CardList, { signal });
}

export function unusableCards(signal?: AbortSignal) {
  return post('/api/api.php/Card/nucard', token(), CardList, { signal });
}

export function cardsQuery(which: CardFilter | 'unusable') {
  return queryOptions({
    queryKey: ['cards', which],
    queryFn: ({ signal }) => (which === 'unusable' ? unusableCards(signal) : listCards(which, signal)),
    select: (answer) => answer.card_list,
    refetchOnWindowFocus: 'always',
  });
}
