import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OAuthIdentity } from '../wire/generated/OAuthIdentity';
import { finishOAuth, oauthReturn, withoutOAuth } from './oauth';
import { fetchIdentity } from './use-identity';

/**
 * A proof of the identity in the messaging app, for a change that needs one. `prove` opens the messaging app's OAuth
 * page, which returns to this page; `identity` is then the proof, which is valid once and for ten minutes. `forget`
 * drops a proof that may have been used.
 */
export function useIdentityProof(failed: (failure: unknown) => void) {
  const [returned] = useState(() => oauthReturn(window.location.search));
  const [identity, setIdentity] = useState<OAuthIdentity>();
  const started = useRef(false);
  const onFailure = useEffectEvent(failed);
  useEffect(() => {
    if (!returned || started.current) return;
    started.current = true;
    window.history.replaceState(window.history.state, '', withoutOAuth(window.location.href));
    finishOAuth(returned.code, returned.state).then(setIdentity, (failure) => onFailure(failure));
  }, [returned]);
  const forget = () => setIdentity(undefined);
  return { identity, forget, prove: () => fetchIdentity().catch(failed) };
}
