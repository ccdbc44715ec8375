import { useEffect, useState } from 'react';

/**
 * Whether this page was left in the middle of something, for another page that it needs, and is back now: true once. The other
 * is called before it is left.
 */
export function useResume(key: string): [resumed: boolean, leave: () => void] {
  const name = `resume ${key}`;
  const [resumed] = useState(() => {
    try {
      return sessionStorage.getItem(name) === '1';
    } catch {
      return false;
    }
  });
  useEffect(() => {
    try {
      sessionStorage.removeItem(name);
    } catch {
      // What cannot be kept was never there.
    }
  }, [name]);
  return [
    resumed,
    () => {
      try {
        sessionStorage.setItem(name, '1');
      } catch {
        // The customer then opens the sheet again by hand.
      }
    },
  ];
}
