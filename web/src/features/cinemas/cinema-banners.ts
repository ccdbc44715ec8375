import { queryOptions } from '@tanstack/react-query';
import { postMovie } from '../../api/client';
import { PageContent } from '../../api/page-content';

/** Banners of the cinema list. */
export function cinemaBanners(signal?: AbortSignal) {
  return postMovie('yclbt', {}, PageContent, { signal });
}

export const cinemaBannersQuery = queryOptions({
  queryKey: ['cinema-banners'],
  queryFn: ({ signal }) => cinemaBanners(signal),
  staleTime: 10 * 60_000,
});
