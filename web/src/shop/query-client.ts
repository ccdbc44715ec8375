import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../wire/api-error';
import { session } from '../wire/session';

/**
 * Retries a query at most twice, and only after a failure of the kind `network`, `timeout` or `http`. All others are
 * final, such as a rejection by the shop.
 */
function retry(count: number, failure: Error): boolean {
  const transient =
    failure instanceof ApiError &&
    (failure.kind === 'network' || failure.kind === 'timeout' || failure.kind === 'http');
  return transient && count < 2;
}

/** The cache of all server state. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 30_000, gcTime: 30 * 60_000, refetchOnWindowFocus: false },
    // A mutation is repeated only if the customer asks for it.
    mutations: { retry: false },
  },
});

// The cache is emptied when the session token changes, so that one customer never sees the data of another. If another
// account is logged in, the shown page loads its data again. Without a session it does not, because the app leaves it.
let cachedToken = session.token();
session.subscribe(() => {
  if (session.token() === cachedToken) return;
  cachedToken = session.token();
  if (cachedToken === '') queryClient.clear();
  else void queryClient.resetQueries();
});
