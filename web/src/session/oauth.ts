import * as v from 'valibot';
import { postMain } from '../wire/client';
import { text } from '../wire/fields';
import { session } from '../wire/session';
import { keptOpenID } from './openid';

const Authorize = v.object({ url: v.string(), state: v.string() });
const Identity = v.object({ openid: v.string(), yz_code: text });

/** Where to send the browser so that the messaging app names its user; `back` is the page it returns to. */
export function startOAuth(back: string) {
  return postMain('/Login/wxlogin', { url: back }, Authorize);
}

/** Exchanges the one-use code for the identity; a logged-in buyer gets it bound. */
export async function finishOAuth(code: string, state: string) {
  const token = session.token();
  const identity = await postMain('/Login/getopenid', { code, state, ...(token ? { token } : {}) }, Identity);
  keptOpenID.keep(identity.openid);
  return identity;
}

export interface OAuthReturn {
  code: string;
  state: string;
}

/** The code and state of an address the messaging app sent the browser back to, or nothing. */
export function oauthReturn(search: string): OAuthReturn | undefined {
  const query = new URLSearchParams(search);
  const code = query.get('code');
  const state = query.get('state');
  return code && state ? { code, state } : undefined;
}

/**
 * The same address without them: a code counts once, and a reload must not send it again. Browsers carry the fragment of the
 * messaging app's own address over its redirect; it is no part of ours.
 */
export function withoutOAuth(href: string): string {
  const url = new URL(href);
  url.searchParams.delete('code');
  url.searchParams.delete('state');
  if (url.hash === '#wechat_redirect') url.hash = '';
  return url.href;
}
