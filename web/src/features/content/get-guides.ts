import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMovie } from '../../wire/client';
import { text } from '../../wire/fields';

/** The guides to buying tickets and to visiting the cinema, as unsanitized HTML. */
const Guides = v.object({ goupiao: text, guanying: text });

/** Loads both guides. */
export function getGuides(signal?: AbortSignal) {
  return postMovie('guide', {}, Guides, { signal });
}

export const guidesQuery = queryOptions({
  queryKey: ['guides'],
  queryFn: ({ signal }) => getGuides(signal),
  staleTime: 60 * 60_000,
});
