import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { cardFields } from '../../shop/card';
import { postCard, token } from '../../wire/client';
import { text } from '../../wire/fields';

const ShownCard = v.object({
  /** The card number. */
  card_num: text,
  /** The card and the content of its code, an opaque text that is valid for five minutes. */
  card: v.object({ ...cardFields, code: text }),
});

/** How long a code is valid, in milliseconds. */
export const codeLife = 5 * 60_000;
/** How often an open page fetches a new code, in milliseconds. */
const codeRest = 4 * 60_000;

export function showCard(khid: string, signal?: AbortSignal) {
  return postCard('show', { ...token(), khid }, ShownCard, { signal });
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
