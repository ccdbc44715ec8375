import { useCallback, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { on } from '../wire/events';
import { session } from '../wire/session';

/**
 * Keeps what the customer has entered on a page while a login interrupts it. `remember` notes the present value, which
 * is stored when a login is asked for. `restored` is that value on the page after the login, and undefined on every
 * other visit. Passwords must not be part of it.
 */
export function useLoginReturn<T>(
  key: string,
  shape: v.GenericSchema<unknown, T>,
): [restored: T | undefined, remember: (value: T) => void] {
  const name = `login return ${key}`;
  const latest = useRef<T>(undefined);
  const [restored] = useState<T | undefined>(() => {
    try {
      const kept = sessionStorage.getItem(name);
      return kept && session.token() !== '' ? v.parse(shape, JSON.parse(kept)) : undefined;
    } catch {
      return undefined;
    }
  });
  useEffect(() => {
    try {
      sessionStorage.removeItem(name);
    } catch {
      // Storage is not available, so there is nothing to remove.
    }
    return on('loginRequired', () => {
      if (latest.current === undefined) return;
      try {
        sessionStorage.setItem(name, JSON.stringify(latest.current));
      } catch {
        // Storage is not available. The customer enters it again.
      }
    });
  }, [name]);
  const remember = useCallback((value: T) => {
    latest.current = value;
  }, []);
  return [restored, remember];
}
