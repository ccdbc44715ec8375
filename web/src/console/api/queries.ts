import {
  keepPreviousData,
  QueryClient,
  type QueryKey,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { addressOf, type Call, CallError, send } from './call';

export function newQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Retry only if there was no answer. A second try would get the same error answer again.
        retry: (count, failure) => failure instanceof CallError && failure.code === 'unreachable' && count < 2,
        retryDelay: 500,
        staleTime: 30_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** The query key of a call. The path comes first, so that events can select answers by its beginning. */
export function keyOf(call: Call): QueryKey {
  return [call.path, addressOf(call)];
}

interface Options {
  /** Milliseconds after which the answer is fetched again. */
  every?: number;
  enabled?: boolean;
  /** Whether the previous answer stays visible while the answer for another filter is fetched. */
  keep?: boolean;
}

/**
 * Returns the answer to a call from the query cache, or fetches it. useLive invalidates it when the event stream
 * reports a change.
 */
export function useAnswer<T>(call: Call<T>, { every, enabled = true, keep }: Options = {}): UseQueryResult<T> {
  return useQuery<T>({
    queryKey: keyOf(call),
    queryFn: ({ signal }) => send(call, { signal }),
    enabled,
    refetchInterval: every ?? false,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Returns a function that sends a call which changes something, and then invalidates every answer. */
export function useSend() {
  const queries = useQueryClient();
  return async <T>(call: Call<T>, body?: string): Promise<T> => {
    const answer = await send(call, body === undefined ? {} : { body });
    void queries.invalidateQueries();
    return answer;
  };
}
