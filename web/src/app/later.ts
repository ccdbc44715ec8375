import { queryClient } from '../shop/query-client';
import { prefetched } from '../ui/lost-chunks';
import { loadSignature } from '../wire/client';
import { session } from '../wire/session';
import { loadScreen } from './app';
import { recoverWhenOnline } from './recover';
import { registerServiceWorker } from './register-service-worker';
import { routes } from './routes';
import { whenIdle } from './when-idle';

/** The pages of a purchase in their order. They are loaded before all others. */
const purchase = [
  '/filmdetail',
  '/multiplex',
  '/multiplexDetail',
  '/multiplexNewDetail',
  '/filmSeat',
  '/filmNewSeat',
  '/paymentpage',
  '/orderInfo',
  '/orderpage',
];

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Returns which pages are loaded before they are needed: none if there is no network, if it is very slow (2G) or if the
 * browser's data saver is on; only those of a purchase if the network is slow (3G).
 */
function prefetchable(): 'all' | 'purchase' | 'none' {
  const { connection } = navigator as Navigator & { connection?: Connection };
  const speed = connection?.effectiveType ?? '4g';
  if (!navigator.onLine || connection?.saveData || speed.endsWith('2g')) return 'none';
  return speed === '4g' ? 'all' : 'purchase';
}

/**
 * Registers the service worker, repeats what failed without a network once there is one, and starts to keep the tickets
 * of a logged-in customer on the phone.
 */
export function prepare(): void {
  if (import.meta.env.PROD) registerServiceWorker();
  recoverWhenOnline(queryClient);
  let kept = false;
  function keep() {
    if (kept || session.token() === '') return;
    kept = true;
    void prefetched(() => import('./ticket-keeper')).then(
      ({ keepTickets }) => keepTickets(),
      () => {},
    );
  }
  session.subscribe(keep);
  keep();
}

/**
 * Loads the chunks of other pages, so that these pages open at once even on a weak network: first the pages of a
 * purchase, beginning with the one after the shown page, then all others. The chunks are loaded one by one, while the
 * browser is idle and no call is in progress.
 */
export function prefetchPages(): void {
  const shown = purchase.indexOf(window.location.pathname) + 1;
  const ahead = [...purchase.slice(shown), ...purchase.slice(0, shown)];
  const rest = routes.map(({ path }) => path).filter((path) => !ahead.includes(path));
  prefetch([...ahead, ...rest]);
}

/**
 * Loads the chunks of the pages, one after the other. The first failure ends this, and the remaining chunks are loaded
 * when they are needed.
 */
function prefetch([path, ...rest]: string[]): void {
  const route = routes.find((each) => each.path === path);
  if (!route) return;
  whenQuiet(() => {
    const allowed = prefetchable();
    if (allowed === 'none' || (allowed === 'purchase' && !purchase.includes(route.path))) return;
    void prefetched(() => Promise.all([loadSignature(), loadScreen(route)])).then(
      () => prefetch(rest),
      () => {},
    );
  });
}

/** Runs `run` as soon as the browser is idle and no call is in progress. */
function whenQuiet(run: () => void): void {
  whenIdle(() => {
    if (queryClient.isFetching() === 0) return run();
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching() > 0) return;
      stop();
      whenQuiet(run);
    });
  });
}
