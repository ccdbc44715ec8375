import { useState } from 'react';
import type { OAuthIdentity } from '../wire/generated/OAuthIdentity';
import { fetchIdentity } from './use-identity';
import { useOAuthReturn } from './use-oauth-return';

/**
 * A proof of the identity in the messaging app, for a change that needs one. `prove` opens the messaging app's OAuth
 * page, which returns to this page; `identity` is then the proof, which is valid once and for ten minutes. `forget`
 * drops a proof that may have been used.
 */
export function useIdentityProof(failed: (failure: unknown) => void) {
  const [identity, setIdentity] = useState<OAuthIdentity>();
  useOAuthReturn(setIdentity, failed);
  const forget = () => setIdentity(undefined);
  return { identity, forget, prove: () => fetchIdentity().catch(failed) };
}
