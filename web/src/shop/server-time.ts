import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { post } from '../wire/client';
import { ServerTime } from '../wire/generated/ServerTime';

/**
 * Measures how many seconds the shop's clock is ahead of the phone's. It is needed because the shop's clock decides
 * when a sale or the time to pay ends.
 */
export async function clockOffset(signal?: AbortSignal): Promise<number> {
  const asked = Date.now();
  const { time } = await post('/movie/route/Movie/gettime', {}, ServerTime, { signal, quiet: true });
  return time - (asked + Date.now()) / 2000;
}

export const clockOffsetQuery = queryOptions({
  queryKey: ['server-time'],
  queryFn: ({ signal }) => clockOffset(signal),
  staleTime: 60_000,
});

/** Seconds between two updates. */
const rest = 10;

/**
 * The shop's time in unix seconds, updated every 10 seconds, when the page becomes visible, and at the given moments of
 * the shop's clock, such as the end of a sale. It is the phone's time until the offset is known.
 */
export function useServerTime(moments: readonly number[] = []): number {
  const { data: offset = 0 } = useQuery(clockOffsetQuery);
  const [phone, setPhone] = useState(phoneTime);
  const now = phone + offset;
  const wait = Math.min(rest, ...moments.map((at) => at - now).filter((left) => left > 0));
  useEffect(() => {
    const update = () => setPhone(phoneTime());
    // One millisecond later, so that the moment has passed.
    const timer = setTimeout(update, (phone + wait) * 1000 - Date.now() + 1);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [phone, wait]);
  return now;
}

function phoneTime(): number {
  return Date.now() / 1000;
}
