import { useState } from 'react';
import { useSecondsLeft } from '../../ui/count-down';

/** Seconds until another SMS code can be asked for, and the way to start the wait. */
export function useResend(): [left: number, start: (seconds: number) => void] {
  const [until, setUntil] = useState<number>();
  const left = useSecondsLeft(until);
  return [left, (seconds) => setUntil(Date.now() + seconds * 1000)];
}
