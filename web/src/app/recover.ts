import type { QueryClient } from '@tanstack/react-query';
import { brokenPages, isReachable } from '../ui/lost-chunks';
import { isUnreached } from '../wire/api-error';

/**
 * Loads again what failed without a network as soon as it is back: the calls of the shown page, and a page whose chunk
 * could not be loaded. The query library itself repeats calls only if it noticed that the network was gone, which it
 * does not if the app starts without one.
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
  // Without the shop the browser would show its own error page.
  if (await isReachable().catch(() => false)) window.location.reload();
}
