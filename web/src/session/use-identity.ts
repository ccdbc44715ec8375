import { emit } from '../wire/events';
import type { OAuthIdentity } from '../wire/generated/OAuthIdentity';
import { startOAuth, withoutOAuth } from './oauth';
import { useOAuthReturn } from './use-oauth-return';

/** Opens the messaging app's OAuth page, which returns to this page with a code. */
export async function fetchIdentity(): Promise<void> {
  const { url } = await startOAuth(withoutOAuth(window.location.href));
  window.location.assign(url);
}

/**
 * Completes OAuth if the page's address has its code: the shop binds the identity to the buyer, and the hook calls
 * `done` or `failed`. If the shop did not bind the identity, the hook emits `identityUnbound` instead, and the app asks
 * for the phone of the account. Returns true while OAuth is being completed.
 */
export function useIdentity(done: (identity: OAuthIdentity) => void, failed: (failure: unknown) => void): boolean {
  return useOAuthReturn((identity) => (identity.bound ? done(identity) : emit('identityUnbound', identity)), failed);
}
