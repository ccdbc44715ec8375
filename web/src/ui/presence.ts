import { useEffect, useState } from 'react';

/**
 * True while `open`, and for `leaving` milliseconds after it, so that the content stays during the closing transition.
 */
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
