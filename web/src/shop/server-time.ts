import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { postMovie } from '../wire/client';
import { numeric } from '../wire/fields';

const ServerTime = v.object({ time: numeric });

/** Measures how many seconds the shop's clock is ahead of the phone's. Sales and orders end by the shop's clock. */
export async function clockOffset(signal?: AbortSignal): Promise<number> {
  const asked = Date.now();
  const { time } = await postMovie('gettime', {}, ServerTime, { signal, quiet: true });
  return time - (asked + Date.now()) / 2000;
}

export const clockOffsetQuery = queryOptions({
  queryKey: ['server-time'],
  queryFn: ({ signal }) => clockOffset(signal),
  staleTime: 60_000,
});

/** The shop's time in unix seconds, updated every 10 seconds. It is the phone's time until the offset is known. */
export function useServerTime(): number {
  const { data: offset = 0 } = useQuery(clockOffsetQuery);
  const [phone, setPhone] = useState(phoneTime);
  useEffect(() => {
    const timer = setInterval(() => setPhone(phoneTime()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return phone + offset;
}

function phoneTime(): number {
  return Date.now() / 1000;
}
