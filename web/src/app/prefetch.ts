import { routes } from './routes';
import { loadScreen } from './screens';

/**
 * Fetches the other pages in the idle moments after the first touch: by the time somebody has chosen seats, the payment page
 * is here, and a weak network in the foyer no longer matters. Who saves data is left alone.
 */
export function prefetchAfterFirstTouch(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  window.addEventListener('pointerdown', () => next(0), { once: true, passive: true });
}

function next(at: number): void {
  const route = routes[at];
  if (!route) return;
  const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 300));
  // One that cannot be had now is fetched when it is needed.
  idle(
    () =>
      void loadScreen(route).then(
        () => next(at + 1),
        () => {},
      ),
  );
}
