import type { QueryClient } from '@tanstack/react-query';
import { brokenPages, isReachable } from '../ui/lost-chunks';
import { isUnreached } from '../wire/api-error';

/**
 * When the network is back, repeats what failed without it: the calls of the shown page, and a page whose chunk could
 * not be loaded. The query library repeats calls only if it noticed that the network was gone, which it does not if
 * the app starts offline.
 */
export function recoverWhenOnline(queries: QueryClient): () => void {
  function recover() {
    if (brokenPages.size > 0) return void reload();
    const predicate = ({ state }: { state: { error: unknown } }) => isUnreached(state.error);
    void queries.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false });
  }
  window.addEventListener('online', recover);
  return () => window.removeEventListener('online', recover);
}

async function reload(): Promise<void> {
  // If the shop is unreachable, a reload would show the browser's error page.
  if (await isReachable().catch(() => false)) window.location.reload();
}
