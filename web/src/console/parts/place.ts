import { useSearchParams } from 'react-router';

/** The world that the page shows: the one in its address. */
export function useWorld(): string {
  return useSearchParams()[0].get('world') || 'default';
}

/** A value of the address, and how to change it without a further step back. */
export function useParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = (value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return [params.get(name) ?? '', set];
}

/** Several at once: what is named is set or, when empty, taken out. */
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

/** The address of a page in a world. */
export function pathOf(page: string, world: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(world === 'default' ? {} : { world }), ...more }).toString();
  return `/${page}${query && `?${query}`}`;
}
