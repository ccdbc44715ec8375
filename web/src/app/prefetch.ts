import { loadDialog } from '../ui/overlays';
import { routes } from './routes';
import { loadScreen } from './screens';

/**
 * Fetches the dialog and the chunks of all screens in idle moments after the first touch, so that a later page does not
 * wait for a weak network. Does nothing when the customer has asked the browser to save data.
 */
export function prefetchAfterFirstTouch(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const loads = [loadDialog, ...routes.map((route) => () => loadScreen(route))];
  window.addEventListener('pointerdown', () => prefetch(loads), { once: true, passive: true });
}

/** Loads one after the other. A chunk that cannot be loaded ends it: each is fetched again when it is needed. */
function prefetch([load, ...rest]: (() => Promise<unknown>)[]): void {
  if (!load) return;
  const whenIdle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 300));
  whenIdle(
    () =>
      void load().then(
        () => prefetch(rest),
        () => {},
      ),
  );
}
