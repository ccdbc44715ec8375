import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../wire/client';
import { BuyerPage } from '../wire/generated/BuyerPage';
import { accessOf, session } from '../wire/session';

/** Loads the customer's profile with the numbers of cards and orders, and stores what access the session has. */
export async function getMember(signal?: AbortSignal) {
  const asked = token();
  const member = await post('/Member/index', asked, BuyerPage, { signal });
  if (asked.token === session.token()) session.setAccess(accessOf(member.access));
  return member;
}

export const memberQuery = queryOptions({
  queryKey: ['member'],
  queryFn: ({ signal }) => getMember(signal),
  refetchOnWindowFocus: 'always',
});
