import { useState } from 'react';
import * as v from 'valibot';
import { ownKey } from '../wire/session';

/** State that outlives a visit to another page, as long as the browser's tab and the login: it is kept under a key. */
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
        // It then lasts as long as the page.
      }
    },
  ];
}
