import { useEffect, useState } from 'react';
import { calls } from '../api/calls';
import type { Clock } from '../api/generated/control';
import { useAnswer } from '../api/queries';

/** Returns the clock and the current business time in milliseconds; undefined until the clock is known. */
export function useNow(world: string): { clock: Clock; now: number } | undefined {
  const { data: clock, dataUpdatedAt } = useAnswer(calls.clock(world));
  const [tick, setTick] = useState(() => Date.now());
  const stopped = clock === undefined || clock.frozen;
  useEffect(() => {
    if (stopped) return;
    const timer = setInterval(() => setTick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [stopped]);
  if (!clock) return undefined;
  const passed = clock.frozen ? 0 : Math.max(0, tick - dataUpdatedAt);
  return { clock, now: Date.parse(clock.now) + passed };
}
