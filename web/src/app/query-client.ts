import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../wire/api-error';
import { session } from '../wire/session';

/** Only what may go away by itself is worth another try: the network, not a refusal. */
function retry(count: number, failure: Error): boolean {
  const passing =
    failure instanceof ApiError &&
    (failure.kind === 'network' || failure.kind === 'timeout' || failure.kind === 'http');
  return passing && count < 2;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 30_000, gcTime: 30 * 60_000, refetchOnWindowFocus: false },
    // An action is never sent twice by itself.
    mutations: { retry: false },
  },
});

// Nothing that one customer saw is left for the next.
let owner = session.token();
session.subscribe(() => {
  if (session.token() === owner) return;
  owner = session.token();
  queryClient.clear();
});
