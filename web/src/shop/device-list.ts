import { useSyncExternalStore } from 'react';
import * as v from 'valibot';

/** A list that is stored in the browser, with the latest item first. */
export interface StoredList<Item> {
  /** The items; the component renders again when they change, in another tab too. */
  useItems: () => readonly Item[];
  /** The items now. */
  items: () => readonly Item[];
  /** Puts an item first, in place of the one with the same id. */
  put: (item: Item) => void;
  /** Removes the item with the id. */
  remove: (id: string) => void;
  clear: () => void;
}

/**
 * Returns the list that is stored under a key of local storage, or of another storage. It keeps the latest `max` items.
 * It is empty without storage, and if the stored items do not have the `shape`, because another version of the app
 * stored them.
 */
export function storedList<Item>(
  key: string,
  max: number,
  shape: v.GenericSchema<unknown, Item>,
  idOf: (item: Item) => string,
  storage: () => Storage = () => localStorage,
): StoredList<Item> {
  const list = v.array(shape);
  const listeners = new Set<() => void>();

  function stored(): string {
    try {
      return storage().getItem(key) ?? '[]';
    } catch {
      return '[]';
    }
  }

  function parse(text: string): readonly Item[] {
    try {
      return v.parse(list, JSON.parse(text));
    } catch {
      return [];
    }
  }

  function store(items: readonly Item[]): void {
    try {
      storage().setItem(key, JSON.stringify(items.slice(0, max)));
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

  let last: { text: string; items: readonly Item[] } | undefined;

  /** Returns the same array as long as the stored text is the same. */
  function items(): readonly Item[] {
    const text = stored();
    if (last?.text !== text) last = { text, items: parse(text) };
    return last.items;
  }

  const without = (id: string) => items().filter((other) => idOf(other) !== id);
  return {
    useItems: () => useSyncExternalStore(subscribe, items),
    items,
    put: (item) => store([item, ...without(idOf(item))]),
    remove: (id) => store(without(id)),
    clear: () => store([]),
  };
}

/** A list of ids that is stored on this phone, with the latest first, for data that the shop has no call to store. */
export interface DeviceList {
  /** The ids; the component renders again when they change, in another tab too. */
  useIds: () => readonly string[];
  /** Puts an id first. */
  add: (id: string) => void;
  /** Removes an id, or puts it first if it is not in the list. */
  toggle: (id: string) => void;
}

/** The list of ids under a key of local storage. It keeps the latest `max`. */
export function deviceList(key: string, max: number): DeviceList {
  const ids = storedList(key, max, v.string(), (id) => id);
  return {
    useIds: ids.useItems,
    add: ids.put,
    toggle: (id) => (ids.items().includes(id) ? ids.remove(id) : ids.put(id)),
  };
}
