import { queryOptions } from '@tanstack/react-query';
import { PageContent } from '../../shop/page-content';
import { postMovie } from '../../wire/client';

/** Loads the banners of the cinema list. */
export function cinemaBanners(signal?: AbortSignal) {
  return postMovie('yclbt', {}, PageContent, { signal });
}

export const cinemaBannersQuery = queryOptions({
  queryKey: ['cinema-banners'],
  queryFn: ({ signal }) => cinemaBanners(signal),
  staleTime: 10 * 60_000,
});
