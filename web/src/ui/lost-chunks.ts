/** The sessionStorage key of the build for which the page was reloaded; the script of index.html uses it, too. */
const reloadKey = 'reloaded-build';

/** The errors of failed imports of chunks, by which isLostChunk recognizes them. */
const failures = new WeakSet<object>();

/** The mounted error boundaries that show an error because a chunk could not be loaded. */
export const brokenPages = new Set<object>();

let prefetching = 0;

/** The address of the entry script of the running build. It changes with each release. */
const build = () => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? import.meta.url;

/**
 * Makes the page reload when a chunk cannot be loaded. After a release the server no longer has the chunks that an open
 * page refers to; a reload fetches the new page, which refers to the new chunks. Vite's event `vite:preloadError`
 * reports every failed import. A failed prefetch does not reload, because the page works without it.
 */
export function reloadForLostChunks(): () => void {
  const onFailure = ({ payload }: VitePreloadErrorEvent) => {
    failures.add(payload);
    if (prefetching === 0) void reloadOnce();
  };
  window.addEventListener('vite:preloadError', onFailure);
  return () => window.removeEventListener('vite:preloadError', onFailure);
}

/** Runs an import whose failure does not reload the page. */
export function prefetched<T>(load: () => Promise<T>): Promise<T> {
  prefetching += 1;
  return load().finally(() => {
    prefetching -= 1;
  });
}

/** Reports whether a page failed because a chunk could not be loaded. */
export function isLostChunk(failure: unknown): boolean {
  return failures.has(failure as object); // false for a value that is not an object
}

/** Reports whether the server answers a request for the current page with success. Rejects without a network. */
export async function isReachable(): Promise<boolean> {
  const { ok } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
  return ok;
}

/**
 * Reloads the page, once for each build and tab, if the server can be reached. Without a network or without storage,
 * the page stays and shows its error.
 */
export async function reloadOnce(): Promise<void> {
  try {
    // navigator.onLine is not used, because an offline browser still reaches a shop on the same machine.
    if (sessionStorage.getItem(reloadKey) === build()) return;
    const reachable = await isReachable();
    // Check again, because several imports may fail at once.
    if (!reachable || sessionStorage.getItem(reloadKey) === build()) return;
    sessionStorage.setItem(reloadKey, build());
    window.location.reload();
  } catch {
    // The page shows its error with 重试.
  }
}
