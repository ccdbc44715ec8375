import { useEffect, useState } from 'react';

/**
 * Reports whether the customer returns to a task on this page, such as a payment. Call `leave` before the page opens
 * another page that the task needs, such as the one that sets a payment password. On the next visit to this page
 * `resumed` is true.
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
