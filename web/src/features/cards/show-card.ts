import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../../wire/client';
import { CardPage } from '../../wire/generated/CardPage';

/** Milliseconds for which the code of a card, which staff scan, is valid. */
export const codeLife = 5 * 60_000;
/** Milliseconds after which an open page fetches the next code. */
const codeRest = 4 * 60_000;

export function showCard(khid: string, signal?: AbortSignal) {
  return post('/api/api.php/Card/show', { ...token(), khid }, CardPage, { signal });
}

/** A card with its current code. The query is repeated every `codeRest` and when the page becomes visible. */
export function cardQuery(khid: string) {
  return queryOptions({
    queryKey: ['card', khid],
    queryFn: ({ signal }) => showCard(khid, signal),
    select: (answer) => answer.card,
    enabled: khid !== '',
    staleTime: 0,
    refetchInterval: codeRest,
    refetchOnWindowFocus: true,
  });
}
