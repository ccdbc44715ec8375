import { queryOptions } from '@tanstack/react-query';
import { post } from '../wire/client';
import { LoginPage } from '../wire/generated/LoginPage';

/** Loads the picture of the login page and the address of customer service. */
export function loginInfo(signal?: AbortSignal) {
  return post('/Login/index', {}, LoginPage, { signal });
}

export const loginInfoQuery = queryOptions({
  queryKey: ['login-info'],
  queryFn: ({ signal }) => loginInfo(signal),
  staleTime: 60 * 60_000,
});
