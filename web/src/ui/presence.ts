import { useEffect, useState } from 'react';

/** True while something is open and for the time its leaving takes, so that content does not vanish before its frame. */
export function usePresence(open: boolean, leaving = 240): boolean {
  const [present, setPresent] = useState(open);
  if (open && !present) setPresent(true);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setPresent(false), leaving);
    return () => clearTimeout(timer);
  }, [open, leaving]);
  return open || present;
}
