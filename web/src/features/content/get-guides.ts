import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMovie } from '../../wire/client';
import { text } from '../../wire/fields';

/** What to know about buying tickets and about an evening at the cinema, as HTML. */
const Guides = v.object({ goupiao: text, guanying: text });

export function getGuides(signal?: AbortSignal) {
  return postMovie('guide', {}, Guides, { signal });
}

export const guidesQuery = queryOptions({
  queryKey: ['guides'],
  queryFn: ({ signal }) => getGuides(signal),
  staleTime: 60 * 60_000,
});
