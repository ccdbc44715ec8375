import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { ShowcasePage } from '../../wire/generated/ShowcasePage';

/** Loads the banners of the cinema list. */
export function cinemaBanners(signal?: AbortSignal) {
  return post('/movie/route/Movie/yclbt', {}, ShowcasePage, { signal });
}

export const cinemaBannersQuery = queryOptions({
  queryKey: ['cinema-banners'],
  queryFn: ({ signal }) => cinemaBanners(signal),
  staleTime: 10 * 60_000,
});
