import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useDebounced } from '../ui/use-debounced';
import { useIsOnPage } from './navigation';

/**
 * The query and the history state after the latest change, which the router may not have rendered yet. `from` contains
 * every query that the router may still render: the one before the first unrendered change, and the one after each
 * change.
 */
let changed: { from: Set<string>; query: URLSearchParams; state: unknown } | undefined;

/**
 * Returns a function that changes one value of the page's address and the state of its history entry. The router
 * renders a change with a delay. A second change before that is added to the first one, so that neither is lost.
 */
export function useChangePlace(): (name: string, value: string, entry?: object) => void {
  const [rendered, setQuery] = useSearchParams();
  const { state: renderedState } = useLocation();
  const isOnPage = useIsOnPage();
  const from = rendered.toString();
  useLayoutEffect(() => {
    if (changed?.query.toString() === from) changed = undefined;
  }, [from]);
  return useCallback(
    (name, value, entry) => {
      // While the next page loads, this one is still visible and may call this function. It must not change the address
      // then.
      if (!isOnPage()) return;
      const last = changed?.from.has(from) ? changed : undefined;
      const query = new URLSearchParams(last ? last.query : from);
      if (value === '') query.delete(name);
      else query.set(name, value);
      const before = last ? last.state : renderedState;
      const state = entry ? { ...(before as object | null), ...entry } : before;
      changed = { from: new Set([...(last?.from ?? []), from, query.toString()]), query, state };
      setQuery(query, { replace: true, state });
    },
    [setQuery, from, renderedState, isOnPage],
  );
}

/**
 * A part of the customer's place on a page, such as a chosen tab, as the query value `name`. It survives back, a reload
 * and a shared link. A change replaces the history entry; an empty value removes `name` from the query.
 */
export function usePlace(name: string): [value: string, change: (value: string) => void] {
  const [query] = useSearchParams();
  const changePlace = useChangePlace();
  const change = useCallback((value: string) => changePlace(name, value), [name, changePlace]);
  return [query.get(name) ?? '', change];
}

/** Milliseconds without typing after which a search begins. */
const searchDelay = 1000;

/**
 * The text of a search field, and the trimmed text to search for, which is the query value `q`. The text to search for
 * changes when nothing was typed for a second, or at once by `search`. The text of the field is not a query value,
 * because the router renders changes too late for typing.
 */
export function useSearchPlace(): [
  typed: string,
  type: (text: string) => void,
  wanted: string,
  search: (text: string) => void,
] {
  const [kept, keep] = usePlace('q');
  const [typed, setTyped] = useState(kept);
  const rested = useDebounced(typed, searchDelay);
  // The debounced text or the text that was searched at once, whichever is newer.
  const [wanted, want] = useState(rested.trim());
  const [before, setBefore] = useState(rested);
  if (rested !== before) {
    setBefore(rested);
    want(rested.trim());
  }
  useEffect(() => {
    if (wanted !== kept) keep(wanted);
  }, [wanted, kept, keep]);
  return [typed, setTyped, wanted, (text) => want(text.trim())];
}
