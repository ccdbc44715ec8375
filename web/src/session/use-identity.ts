import { useEffect, useRef, useState } from 'react';
import { finishOAuth, oauthReturn, startOAuth, withoutOAuth } from './oauth';

/** Leads to the messaging app, which names its user and comes back to this page. */
export async function fetchIdentity(): Promise<void> {
  const { url } = await startOAuth(withoutOAuth(window.location.href));
  window.location.assign(url);
}

/**
 * When the page was reached back from the messaging app: binds the identity to the buyer, then tells that it is done or why
 * not. True while that is under way.
 */
export function useIdentity(done: () => void, failed: (failure: unknown) => void): boolean {
  const [returned] = useState(() => oauthReturn(window.location.search));
  const [busy, setBusy] = useState(returned !== undefined);
  const started = useRef(false);
  const tell = useRef({ done, failed });
  useEffect(() => {
    tell.current = { done, failed };
  });
  useEffect(() => {
    if (!returned || started.current) return;
    started.current = true;
    window.history.replaceState(window.history.state, '', withoutOAuth(window.location.href));
    finishOAuth(returned.code, returned.state)
      .then(() => tell.current.done())
      .catch((failure) => tell.current.failed(failure))
      .finally(() => setBusy(false));
  }, [returned]);
  return busy;
}
