import { hasAnswers } from '../wire/first-answers';
import { queryClient } from './query-client';
import { routeOf } from './routes';
import { loadScreen, screens } from './screens';

/** Milliseconds after which the app is rendered although its first screen is not there. */
const limit = 200;

/**
 * Loads the screen of the address and puts the answers that came with the page into the cache. The first render then
 * shows the whole screen. Without this it would show a placeholder and would be repeated for each answer. Never rejects:
 * a screen that cannot be loaded is reported by the render.
 */
export async function prepareFirstScreen(): Promise<void> {
  const route = routeOf(window.location.pathname);
  if (!route) return;
  const prepared = loadScreen(route).then(async ({ default: Screen, preload }) => {
    screens.set(route.path, Screen);
    // Without answers the queries would wait for the network. The screen makes them, and shows its placeholder.
    if (preload && hasAnswers()) await preload(queryClient, new URLSearchParams(window.location.search));
  });
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, limit));
  await Promise.race([prepared, timeout]).catch(() => {});
}
