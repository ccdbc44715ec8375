import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain } from '../../wire/client';
import { text } from '../../wire/fields';

/** The picture on the login page, and where customer service is reached. */
const LoginInfo = v.object({ weblogo: text, zxkf: text });

export function loginInfo(signal?: AbortSignal) {
  return postMain('/Login/index', {}, LoginInfo, { signal });
}

export const loginInfoQuery = queryOptions({
  queryKey: ['login-info'],
  queryFn: ({ signal }) => loginInfo(signal),
  staleTime: 60 * 60_000,
});
