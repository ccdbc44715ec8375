import { useState } from 'react';
import * as z from './shape';

/** State that outlives a visit to another page, as long as the browser's tab: it is kept under a key. */
export function useKept<T>(key: string, shape: z.Shape<T>, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => {
    try {
      return z.parse(shape, JSON.parse(sessionStorage.getItem(key) ?? ''));
    } catch {
      return initial;
    }
  });
  return [
    value,
    (next) => {
      setValue(next);
      try {
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // It then lasts as long as the page.
      }
    },
  ];
}
