import { hasAnswers } from '../wire/first-answers';
import { queryClient } from './query-client';
import { routeOf } from './routes';
import { loadScreen, screens } from './screens';

/** Milliseconds after which the app is rendered even if its first screen is not loaded. */
const limit = 200;

/**
 * Loads the screen of the address and puts the answers that came with the page into the cache. The first render then
 * shows the entire screen, instead of a placeholder that is replaced answer by answer. Never rejects: the render
 * reports a screen that cannot be loaded.
 */
export async function prepareFirstScreen(): Promise<void> {
  const route = routeOf(window.location.pathname);
  if (!route) return;
  const prepared = loadScreen(route).then(async ({ default: Screen, preload }) => {
    screens.set(route.path, Screen);
    // Without answers the queries would wait for the network. The screen makes them itself and shows its placeholder.
    if (preload && hasAnswers()) await preload(queryClient, new URLSearchParams(window.location.search));
  });
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, limit));
  await Promise.race([prepared, timeout]).catch(() => {});
}
