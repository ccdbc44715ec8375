import { useSearchParams } from 'react-router';

/**
 * Returns the id of the world (a separate set of simulated providers) that the page shows, from the query parameter
 * `world`; `default` if it is missing.
 */
export function useWorld(): string {
  return useSearchParams()[0].get('world') || 'default';
}

/**
 * Returns the query parameters of the address, and a function that sets the given ones, or removes those whose value is
 * empty, without adding an entry to the history.
 */
export function useParams(): [URLSearchParams, (values: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams();
  const set = (values: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return [params, set];
}

/** Returns a query parameter of the address, and a function that sets it without adding an entry to the history. */
export function useParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useParams();
  return [params.get(name) ?? '', (value) => setParams({ [name]: value })];
}

/** Returns the address of a page of the console that shows the given world. `more` are further query parameters. */
export function pathOf(page: string, world: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(world === 'default' ? {} : { world }), ...more }).toString();
  return `/${page}${query && `?${query}`}`;
}
