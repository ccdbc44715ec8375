import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { cardFields } from '../../shop/card';
import { postCard, token } from '../../wire/client';
import { text } from '../../wire/fields';

const ShownCard = v.object({
  /** The card number. */
  card_num: text,
  /** The card, and what its page shows as a code: opaque, good for five minutes. */
  card: v.object({ ...cardFields, code: text }),
});

/** How long a code is good for. */
export const codeLife = 5 * 60_000;
/** How often an open page asks for another. */
const codeRest = 4 * 60_000;

export function showCard(khid: string, signal?: AbortSignal) {
  return postCard('show', { ...token(), khid }, ShownCard, { signal });
}

/** A card with a code that is never the old one: the page that shows it asks again when it comes up and as time goes. */
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
