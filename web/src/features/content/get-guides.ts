import { queryOptions } from '@tanstack/react-query';
import { postMovie } from '../../wire/client';
import { text } from '../../wire/fields';
import * as z from '../../wire/shape';

/** What to know about buying tickets and about an evening at the cinema, as HTML. */
const Guides = z.object({ goupiao: text, guanying: text });

export function getGuides(signal?: AbortSignal) {
  return postMovie('guide', {}, Guides, { signal });
}

export const guidesQuery = queryOptions({
  queryKey: ['guides'],
  queryFn: ({ signal }) => getGuides(signal),
  staleTime: 60 * 60_000,
});
