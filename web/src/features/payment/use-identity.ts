import { useEffect, useRef, useState } from 'react';
import { customerMessage } from '../../api/api-error';
import { finishOAuth, oauthReturn, startOAuth, withoutOAuth } from '../../api/oauth';
import { toast } from '../../ui/toast';

/** Leads to the messaging app, which names its user and comes back to this page. */
export async function fetchIdentity(): Promise<void> {
  const { url } = await startOAuth(withoutOAuth(window.location.href));
  window.location.assign(url);
}

/** When the page was reached back from the messaging app: binds the identity to the buyer. True while that is under way. */
export function useIdentity(done: () => void): boolean {
  const [returned] = useState(() => oauthReturn(window.location.search));
  const [busy, setBusy] = useState(returned !== undefined);
  const started = useRef(false);
  const finish = useRef(done);
  useEffect(() => {
    finish.current = done;
  });
  useEffect(() => {
    if (!returned || started.current) return;
    started.current = true;
    window.history.replaceState(window.history.state, '', withoutOAuth(window.location.href));
    finishOAuth(returned.code, returned.state)
      .then(() => finish.current())
      .catch((failure) => toast(customerMessage(failure)))
      .finally(() => setBusy(false));
  }, [returned]);
  return busy;
}
