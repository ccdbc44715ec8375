import { queryOptions } from '@tanstack/react-query';
import { PageContent } from '../../shop/page-content';
import { postMovie } from '../../wire/client';

/** Loads the banners and voucher tiles of the home page. */
export function homeContent(signal?: AbortSignal) {
  return postMovie('sylbt', {}, PageContent, { signal });
}

export const homeContentQuery = queryOptions({
  queryKey: ['home-content'],
  queryFn: ({ signal }) => homeContent(signal),
  staleTime: 10 * 60_000,
  refetchOnWindowFocus: true,
});
