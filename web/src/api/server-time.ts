import { queryOptions, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { postMovie } from './client';
import { numeric } from './fields';

const ServerTime = z.object({ time: numeric });

/** Seconds that the shop's clock is ahead of this phone's. Sales close and orders expire by the shop's. */
async function clockOffset(signal?: AbortSignal): Promise<number> {
  const asked = Date.now();
  const { time } = await postMovie('gettime', {}, ServerTime, { signal, quiet: true });
  return time - (asked + Date.now()) / 2000;
}

export const clockOffsetQuery = queryOptions({
  queryKey: ['server-time'],
  queryFn: ({ signal }) => clockOffset(signal),
  staleTime: 60_000,
});

/** The shop's time now, in unix seconds, as a function; by the phone's clock until the shop has said otherwise. */
export function useServerNow(): () => number {
  const { data: offset = 0 } = useQuery(clockOffsetQuery);
  return () => Date.now() / 1000 + offset;
}
