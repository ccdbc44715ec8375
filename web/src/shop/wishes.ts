import { useSyncExternalStore } from 'react';
import * as v from 'valibot';

const key = 'wishes';
const maxWishes = 200;
const Wishes = v.array(v.string());
const listeners = new Set<() => void>();

function stored(): string {
  try {
    return localStorage.getItem(key) ?? '[]';
  } catch {
    return '[]';
  }
}

function wishes(): string[] {
  try {
    return v.parse(Wishes, JSON.parse(stored()));
  } catch {
    return [];
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/**
 * Whether the customer wants to see a film, and a function that changes it. The films are noted on this phone, the
 * latest 200 of them, because the shop has no call for it.
 */
export function useWish(movieId: string): [wished: boolean, toggle: () => void] {
  const text = useSyncExternalStore(subscribe, stored);
  const wished = text.includes(JSON.stringify(movieId));
  function toggle() {
    const others = wishes().filter((other) => other !== movieId);
    try {
      localStorage.setItem(key, JSON.stringify(wished ? others : [movieId, ...others].slice(0, maxWishes)));
    } catch {
      // Storage is not available, so the wish is not kept.
    }
    for (const listener of listeners) listener();
  }
  return [wished, toggle];
}
