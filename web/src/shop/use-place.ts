import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '../ui/use-debounced';

/**
 * Returns a function that changes one value of the page's address, and what the history entry keeps. Both are read when
 * it is called: what the router has rendered may be older, and another part of the page may have changed them since.
 */
export function useChangePlace(): (name: string, value: string, entry?: object) => void {
  const [, setQuery] = useSearchParams();
  const [page] = useState(() => window.location.pathname);
  return useCallback(
    (name, value, entry) => {
      // The page is still shown while the next one loads. Its place must not replace the next page's address.
      if (window.location.pathname !== page) return;
      const next = new URLSearchParams(window.location.search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      const state = window.history.state?.usr;
      setQuery(next, { replace: true, state: entry ? { ...state, ...entry } : state });
    },
    [setQuery, page],
  );
}

/**
 * A part of the customer's place on a page, such as a chosen tab, as the query value `name`. It survives back, a reload
 * and a shared link. A change replaces the history entry; an empty value removes the name.
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
 * The text of a search field and the trimmed text to search for, which is the query value `q`: what was typed, once
 * nothing was for a second, or at once by `search`. The field itself is no query value, because the router would render
 * it too late for typing.
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
  // The latest of what rested and what was searched at once.
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
