import { act, render, screen, waitFor } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary';
import { isLostChunk, prefetched, reloadForLostChunks } from './lost-chunks';

const reload = vi.fn();
const fetched = vi.fn<typeof fetch>();
let stop: () => void;

beforeEach(() => {
  reload.mockReset();
  fetched.mockReset().mockImplementation(async () => new Response());
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { ...window.location, href: 'http://shop.test/orderInfo', reload });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  stop = reloadForLostChunks();
});
afterEach(() => stop());

/** Reports a failed import as Vite does in a build. */
function failImport(): Promise<never> {
  const payload = new TypeError('Failed to fetch dynamically imported module');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  return Promise.reject(payload);
}

async function lose() {
  await expect(failImport()).rejects.toThrow('dynamically imported');
}

test('a lost chunk reloads the page once, however many fail', async () => {
  await lose();
  await lose();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(fetched).toHaveBeenCalledWith('http://shop.test/orderInfo', { method: 'HEAD', cache: 'no-store' });
  const asked = fetched.mock.calls.length;
  await lose();
  expect(fetched).toHaveBeenCalledTimes(asked);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page that reaches its server on the same machine reloads without a network, too', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await lose();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test('the page of the next build may reload again', async () => {
  sessionStorage.setItem('reloaded-build', 'http://shop.test/assets/index-earlier.js');
  await lose();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test.each([
  ['the shop cannot be reached', () => fetched.mockRejectedValue(new TypeError('network'))],
  ['the shop is down', () => fetched.mockResolvedValue(new Response(null, { status: 503 }))],
])('the page stays if %s', async (_, arrange) => {
  arrange();
  await lose();
  await act(async () => {});
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
  expect(sessionStorage.getItem('reloaded-build')).toBeNull();
});

test('a failed prefetch does not reload, a screen that fails at the same time does', async () => {
  await expect(prefetched(failImport)).rejects.toThrow('dynamically imported');
  expect(fetched).not.toHaveBeenCalled();
  const Screen = lazy(() => prefetched(failImport));
  render(
    <Suspense>
      <ErrorBoundary error={(lost) => (lost ? 'lost' : 'broken')}>
        <Screen />
      </ErrorBoundary>
    </Suspense>,
  );
  expect(await screen.findByText('lost')).toBeVisible();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test('an error of a screen that is not a lost chunk does not reload', async () => {
  const Broken = () => {
    throw new Error('broken');
  };
  render(
    <ErrorBoundary error={(lost) => (lost ? 'lost' : 'broken')}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(await screen.findByText('broken')).toBeVisible();
  expect(isLostChunk(new Error('broken'))).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
});
