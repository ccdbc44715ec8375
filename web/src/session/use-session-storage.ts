import { useState } from 'react';
import * as v from 'valibot';
import { ownKey } from '../wire/own-key';

/**
 * React state that is also stored under `key` until the tab is closed or the user logs out. A stored value that does
 * not parse as `shape` is replaced by `initial`.
 */
export function useSessionStorage<T>(
  key: string,
  shape: v.GenericSchema<unknown, T>,
  initial: T,
): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => {
    try {
      return v.parse(shape, JSON.parse(sessionStorage.getItem(ownKey(key)) ?? ''));
    } catch {
      return initial;
    }
  });
  return [
    value,
    (next) => {
      setValue(next);
      try {
        sessionStorage.setItem(ownKey(key), JSON.stringify(next));
      } catch {
        // Storage is not available. The value is kept until the page is left.
      }
    },
  ];
}
