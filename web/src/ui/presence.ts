import { useEffect, useState } from 'react';

/**
 * True while `open`, and for `closeMs` milliseconds afterwards, so that the content stays during the closing
 * transition.
 */
export function usePresence(open: boolean, closeMs = 240): boolean {
  const [present, setPresent] = useState(open);
  if (open && !present) setPresent(true);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setPresent(false), closeMs);
    return () => clearTimeout(timer);
  }, [open, closeMs]);
  return open || present;
}
