import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain } from '../wire/client';
import { text } from '../wire/fields';

/** The picture of the login page and the address of customer service. */
const LoginInfo = v.object({ weblogo: text, zxkf: text });

/** Loads the picture of the login page and the address of customer service. */
export function loginInfo(signal?: AbortSignal) {
  return postMain('/Login/index', {}, LoginInfo, { signal });
}

export const loginInfoQuery = queryOptions({
  queryKey: ['login-info'],
  queryFn: ({ signal }) => loginInfo(signal),
  staleTime: 60 * 60_000,
});
