import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OAuthIdentity } from '../wire/generated/OAuthIdentity';
import { finishOAuth, oauthReturn, withoutOAuth } from './oauth';

/**
 * If the page's address has the code of OAuth, removes it from there, exchanges it for the identity, and calls `done` or
 * `failed`. Returns true until then. The code is valid only once, so it is exchanged only once.
 */
export function useOAuthReturn(done: (identity: OAuthIdentity) => void, failed: (failure: unknown) => void): boolean {
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
      .then((identity) => onDone(identity))
      .catch((failure) => onFailure(failure))
      .finally(() => setBusy(false));
  }, [returned]);
  return busy;
}
