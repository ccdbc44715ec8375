import { useEffect, useState } from 'react';

/**
 * `leave` notes that the customer leaves this page for another one that its task needs, such as setting a password.
 * `resumed` is true on the first render after the return.
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
      // Storage is not available, so there is nothing to remove.
    }
  }, [name]);
  return [
    resumed,
    () => {
      try {
        sessionStorage.setItem(name, '1');
      } catch {
        // Storage is not available. The customer opens the sheet again after the return.
      }
    },
  ];
}
