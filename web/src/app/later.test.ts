import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../shop/query-client';
import { prefetchPages, prepare } from './later';
import { type Route, routes } from './routes';

const loaded = vi.hoisted(() => [] as string[]);
vi.mock('./app', () => ({
  loadScreen: async ({ path }: Route) => void loaded.push(path),
}));

vi.mock('../wire/client', async (original) => ({
  ...(await original<typeof import('../wire/client')>()),
  loadSignature: async () => {},
}));

beforeEach(() => {
  loaded.length = 0;
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/filmSeat?opiid=1');
});
afterEach(() => vi.unstubAllGlobals());

const on = (connection?: object, onLine = true) =>
  vi.stubGlobal('navigator', { onLine, ...(connection && { connection }) });

/** Lets the browser be idle once for each page, so that all pages can be loaded. */
async function wait() {
  for (const _ of routes) await vi.advanceTimersByTimeAsync(300);
}

test('a prefetch begins after the shown page of the purchase, and then loads all others', async () => {
  on();
  prefetchPages();
  await wait();
  expect(loaded.slice(0, 4)).toEqual(['/filmNewSeat', '/paymentpage', '/orderInfo', '/orderpage']);
  expect(loaded.slice(4, 9)).toEqual([
    '/filmdetail',
    '/multiplex',
    '/multiplexDetail',
    '/multiplexNewDetail',
    '/filmSeat',
  ]);
  expect(new Set(loaded)).toEqual(new Set(routes.map(({ path }) => path)));
});

test.each([
  ['on a slow network', { effectiveType: '3g' }, true, 9],
  ['on a very slow network', { effectiveType: '2g' }, true, 0],
  ['on the slowest network', { effectiveType: 'slow-2g' }, true, 0],
  ['for a customer who saves data', { effectiveType: '4g', saveData: true }, true, 0],
  ['without a network', undefined, false, 0],
])('%s only so many pages are loaded before they are needed', async (_, connection, onLine, pages) => {
  on(connection, onLine);
  prefetchPages();
  await wait();
  expect(loaded).toHaveLength(pages);
});

test('a network that becomes slow ends a prefetch', async () => {
  on();
  prefetchPages();
  await vi.advanceTimersByTimeAsync(300);
  const before = loaded.length;
  expect(before).toBeGreaterThan(0);
  on({ effectiveType: '2g' });
  await wait();
  expect(loaded).toHaveLength(before);
});

test('failed calls are repeated when the network is back, once the later pages are prepared', () => {
  const repeated = vi.spyOn(queryClient, 'refetchQueries').mockResolvedValue();
  window.dispatchEvent(new Event('online'));
  expect(repeated).not.toHaveBeenCalled();
  prepare();
  window.dispatchEvent(new Event('online'));
  expect(repeated).toHaveBeenCalledOnce();
});
