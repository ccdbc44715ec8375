import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { Guides } from '../../wire/generated/Guides';

/** Loads the guides to buying tickets and to visiting the cinema, as unsanitized HTML. */
export function getGuides(signal?: AbortSignal) {
  return post('/movie/route/Movie/guide', {}, Guides, { signal });
}

export const guidesQuery = queryOptions({
  queryKey: ['guides'],
  queryFn: ({ signal }) => getGuides(signal),
  staleTime: 60 * 60_000,
});
