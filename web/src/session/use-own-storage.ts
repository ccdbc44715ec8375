import { useState } from 'react';
import * as v from 'valibot';
import { ownKey } from '../wire/own-key';

type OwnState<T> = [T, (next: T) => void];

/**
 * React state that is also stored under `key` until the tab is closed or the user logs out. A stored value that does
 * not parse as `shape` is replaced by `initial`.
 */
export function useSessionStorage<T>(key: string, shape: v.GenericSchema<unknown, T>, initial: T): OwnState<T> {
  return useOwnStorage(() => sessionStorage, key, shape, initial);
}

/** Like useSessionStorage, but the state is stored until the user logs out, also when the tab is closed. */
export function useLocalStorage<T>(key: string, shape: v.GenericSchema<unknown, T>, initial: T): OwnState<T> {
  return useOwnStorage(() => localStorage, key, shape, initial);
}

/** `storage` is a function, because a browser that forbids storage throws when it is accessed. */
function useOwnStorage<T>(
  storage: () => Storage,
  key: string,
  shape: v.GenericSchema<unknown, T>,
  initial: T,
): OwnState<T> {
  const [value, setValue] = useState<T>(() => {
    try {
      return v.parse(shape, JSON.parse(storage().getItem(ownKey(key)) ?? ''));
    } catch {
      return initial;
    }
  });
  return [
    value,
    (next) => {
      setValue(next);
      try {
        storage().setItem(ownKey(key), JSON.stringify(next));
      } catch {
        // Storage is not available. The value is kept until the page is left.
      }
    },
  ];
}
