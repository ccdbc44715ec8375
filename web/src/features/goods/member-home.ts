import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { MemberHome } from '../../wire/generated/MemberHome';

/** Fetches the member home: categories, banners and the first goods of each shelf. */
export function memberHome(signal?: AbortSignal) {
  return post('/Kaquan/index', {}, MemberHome, { signal });
}

export const memberHomeQuery = queryOptions({
  queryKey: ['member-home'],
  queryFn: ({ signal }) => memberHome(signal),
  staleTime: 5 * 60_000,
});
