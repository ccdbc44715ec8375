import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../../wire/client';
import { CardPage } from '../../wire/generated/CardPage';

/** How long a code is valid, in milliseconds. */
export const codeLife = 5 * 60_000;
/** How often an open page fetches a new code, in milliseconds. */
const codeRest = 4 * 60_000;

export function showCard(khid: string, signal?: AbortSignal) {
  return post('/api/api.php/Card/show', { ...token(), khid }, CardPage, { signal });
}

/** A card with its current code. The query is repeated when the page becomes visible and after each interval. */
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
