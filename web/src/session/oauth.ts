import { post, tokenIfAny } from '../wire/client';
import { OAuthIdentity } from '../wire/generated/OAuthIdentity';
import { OAuthStart } from '../wire/generated/OAuthStart';
import { openIDStorage } from './openid';

/**
 * Fetches the address of the messaging app's OAuth page, which returns to `back`. OAuth can be completed only in this
 * browser and, if it was started with a session, only in this session.
 */
export function startOAuth(back: string) {
  return post('/Login/wxlogin', { url: back, ...tokenIfAny() }, OAuthStart);
}

/**
 * Exchanges the single-use code for the identity (openid). `bound` says whether the shop has bound the identity to the
 * buyer or, with limited access, to the session. The shop does not bind it if OAuth was started without this session,
 * if a link with a token opened the session, or if the account has no phone or another identity.
 */
export async function finishOAuth(code: string, state: string) {
  const identity = await post('/Login/getopenid', { code, state, ...tokenIfAny() }, OAuthIdentity);
  openIDStorage.set(identity.openid);
  return identity;
}

export interface OAuthReturn {
  code: string;
  state: string;
}

/** The code and state in the query after a return from OAuth; undefined for any other query. */
export function oauthReturn(search: string): OAuthReturn | undefined {
  const query = new URLSearchParams(search);
  const code = query.get('code');
  const state = query.get('state');
  return code && state ? { code, state } : undefined;
}

/**
 * Removes code and state from an address, because a reload must not send a used code again. It also removes the
 * fragment of the messaging app's OAuth address, which browsers keep over the redirect.
 */
export function withoutOAuth(href: string): string {
  const url = new URL(href);
  url.searchParams.delete('code');
  url.searchParams.delete('state');
  if (url.hash === '#wechat_redirect') url.hash = '';
  return url.href;
}
