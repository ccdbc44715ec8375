import {
  keepPreviousData,
  QueryClient,
  type QueryKey,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { addressOf, type Call, Refusal, send } from './call';

export function newQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal stays one; silence may pass.
        retry: (count, failure) => failure instanceof Refusal && failure.code === 'unreachable' && count < 2,
        retryDelay: 500,
        staleTime: 30_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** The key of a call's answer: its path first, so that a change of a topic finds everything that is about it. */
export function keyOf(call: Call): QueryKey {
  return [call.path, addressOf(call)];
}

interface Options {
  /** Also read every so many milliseconds. */
  every?: number;
  enabled?: boolean;
  /** What was shown stays while another filter is read. */
  keep?: boolean;
}

/** What a call answers, kept current by the event stream (see live). */
export function useAnswer<T>(call: Call, { every, enabled = true, keep }: Options = {}): UseQueryResult<T> {
  return useQuery<T>({
    queryKey: keyOf(call),
    queryFn: ({ signal }) => send<T>(call, { signal }),
    enabled,
    refetchInterval: every ?? false,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Makes a call that changes something; whatever is shown is then read anew. */
export function useSend() {
  const queries = useQueryClient();
  return async <T>(call: Call, body?: string): Promise<T> => {
    const answer = await send<T>(call, body === undefined ? {} : { body });
    void queries.invalidateQueries();
    return answer;
  };
}
