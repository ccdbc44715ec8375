/** Attempts to register, the first one included. */
const attempts = 4;
/** Milliseconds between two attempts. */
const retryDelay = 5000;

/**
 * Registers the service worker, which caches the app for a start without a network. It is called after the load event,
 * so that the downloads of the worker do not delay the page. Does nothing in a browser without service workers.
 */
export function registerServiceWorker(): void {
  // Browsers offer service workers only to pages that were loaded over a secure connection.
  if (!('serviceWorker' in navigator)) return;
  void register(attempts);
}

/**
 * Registers the worker, and tries again after `retryDelay` if that fails. The installation fails if one of its files
 * cannot be loaded on a weak network. The browser itself retries only on the next page load, and a visit has only one.
 */
async function register(attemptsLeft: number): Promise<void> {
  const retry = () => {
    if (attemptsLeft > 1) setTimeout(register, retryDelay, attemptsLeft - 1);
  };
  try {
    const { installing } = await navigator.serviceWorker.register('/sw.js');
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'redundant') retry();
    });
  } catch {
    retry();
  }
}
