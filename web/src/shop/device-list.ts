import { useMemo, useSyncExternalStore } from 'react';
import * as v from 'valibot';

const Ids = v.array(v.string());

function parse(text: string): readonly string[] {
  try {
    return v.parse(Ids, JSON.parse(text));
  } catch {
    return [];
  }
}

/** A list of ids on this phone, the latest first, for what the shop has no call for. */
export interface DeviceList {
  /** The ids; the component renders again when they change, in another tab too. */
  useIds: () => readonly string[];
  /** Puts an id first. */
  add: (id: string) => void;
  /** Removes an id, or puts it first if it is not in the list. */
  toggle: (id: string) => void;
}

/** The list under a key of the phone's storage. It keeps the latest `max` ids. Without storage it stays empty. */
export function deviceList(key: string, max: number): DeviceList {
  const listeners = new Set<() => void>();

  function stored(): string {
    try {
      return localStorage.getItem(key) ?? '[]';
    } catch {
      return '[]';
    }
  }

  function store(ids: readonly string[]): void {
    try {
      localStorage.setItem(key, JSON.stringify(ids.slice(0, max)));
    } catch {
      // Storage is not available, so the list is not kept.
    }
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  }

  const without = (id: string) => parse(stored()).filter((other) => other !== id);
  return {
    useIds() {
      const text = useSyncExternalStore(subscribe, stored);
      return useMemo(() => parse(text), [text]);
    },
    add: (id) => store([id, ...without(id)]),
    toggle(id) {
      const others = without(id);
      store(others.length < parse(stored()).length ? others : [id, ...others]);
    },
  };
}
