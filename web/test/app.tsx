import { render } from '@testing-library/react';
import { onTestFinished } from 'vitest';
import { App, createRouter } from '../src/app/app';

/**
 * Renders the app at the address of the window, as a page load does. At its end the test waits until no screen is being
 * loaded.
 */
export function renderApp() {
  const router = createRouter();
  onTestFinished(async () => {
    const isLoading = () => !router.state.initialized || router.state.navigation.state !== 'idle';
    if (isLoading()) await new Promise<void>((done) => void router.subscribe(() => isLoading() || done()));
    router.dispose();
  });
  return render(<App router={router} />);
}
