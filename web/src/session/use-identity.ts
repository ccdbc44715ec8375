import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { emit } from '../wire/events';
import type { OAuthIdentity } from '../wire/generated/OAuthIdentity';
import { finishOAuth, oauthReturn, startOAuth, withoutOAuth } from './oauth';

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
  const [returned] = useState(() => oauthReturn(window.location.search));
  const [busy, setBusy] = useState(returned !== undefined);
  const started = useRef(false);
  const onDone = useEffectEvent(done);
  const onFailure = useEffectEvent(failed);
  useEffect(() => {
    if (!returned || started.current) return;
    started.current = true;
    window.history.replaceState(window.history.state, '', withoutOAuth(window.location.href));
    finishOAuth(returned.code, returned.state)
      .then((identity) => {
        if (identity.bound) return onDone(identity);
        emit('identityUnbound', identity);
      })
      .catch((failure) => onFailure(failure))
      .finally(() => setBusy(false));
  }, [returned]);
  return busy;
}
