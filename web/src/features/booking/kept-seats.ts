import { useCallback, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { ownKey } from '../../wire/own-key';

/** Milliseconds for which chosen seats are kept after their page was left. */
export const keptFor = 10 * 60_000;
const slot = 'chosen seats';
const Kept = v.object({ show: v.string(), ids: v.array(v.string()), at: v.number() });

function read(show: string): readonly string[] {
  try {
    const kept = v.parse(Kept, JSON.parse(sessionStorage.getItem(ownKey(slot)) ?? ''));
    const age = Date.now() - kept.at;
    return kept.show === show && age >= 0 && age < keptFor ? kept.ids : [];
  } catch {
    return [];
  }
}

function write(show: string, ids: readonly string[]): void {
  try {
    if (ids.length === 0) sessionStorage.removeItem(ownKey(slot));
    else sessionStorage.setItem(ownKey(slot), JSON.stringify({ show, ids, at: Date.now() }));
  } catch {
    // Storage is not available. The customer chooses again.
  }
}

/**
 * The seats that the customer had chosen for a showing when its page was left or reloaded, and a function that stores
 * the current choice. After a lock the caller stores an empty choice, so that the same seats are not chosen again on
 * the next visit.
 */
export function useKeptSeats(show: string): [kept: readonly string[], keep: (ids: readonly string[]) => void] {
  const [kept] = useState(() => read(show));
  const latest = useRef(kept);
  const keep = useCallback(
    (ids: readonly string[]) => {
      latest.current = ids;
      write(show, ids);
    },
    [show],
  );
  useEffect(() => {
    // Store the choice again when the page is left, so that `keptFor` counts from that moment.
    const leave = () => {
      if (latest.current.length > 0) write(show, latest.current);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [show]);
  return [kept, keep];
}
