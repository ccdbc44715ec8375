import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { ShowcasePage } from '../../wire/generated/ShowcasePage';

/** Loads the banners and voucher tiles of the home page. */
export function homeContent(signal?: AbortSignal) {
  return post('/movie/route/Movie/sylbt', {}, ShowcasePage, { signal });
}

export const homeContentQuery = queryOptions({
  queryKey: ['home-content'],
  queryFn: ({ signal }) => homeContent(signal),
  staleTime: 10 * 60_000,
  refetchOnWindowFocus: true,
});
