import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderApp } from '../../test/app';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { type Answer, card, gateway, main, post } from '../../test/wire';
import { queryClient } from '../shop/query-client';
import { toast } from '../ui/toast';
import { session } from '../wire/session';
import { loadScreen } from './app';
import { routes } from './routes';

beforeEach(async () => {
  await Promise.all(
    routes.filter(({ path }) => /securitycards|multiplexDetail|[lL]ogin|hello|useexplain/.test(path)).map(loadScreen),
  );
  queryClient.clear();
  toast.clear();
  server.use(
    post('/Login/wxlogin', () => main.reject('internal', '稍后再试')),
    ...shop,
  );
});
afterEach(() => vi.unstubAllGlobals());

function openPage(address: string) {
  window.history.pushState(null, '', address);
  renderApp();
}

test.each([
  ['Mozilla/5.0 MicroMessenger/8.0.50', '/quickLogin'],
  ['Mozilla/5.0 Chrome/120', '/login'],
])('cards: code -1 says 请先登录 and leads, in %s, to %s', async (agent, target) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
  server.use(post('/api/api.php/Card/lists', () => card.login()));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  session.logIn('old');
  openPage('/securitycards');
  expect(await screen.findByText('请先登录')).toBeInTheDocument();
  expect(window.location.pathname).toBe('/securitycards');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await waitFor(() => expect(window.location.pathname).toBe(target));
});

test.each<[string, () => Answer<'/movie/route'>]>([
  ['the shop', () => new Response('', { status: 404 })],
  ['the gateway', () => gateway.reject('5001', '请求失败', 'gateway_status')],
])('a status other than 200 of %s is 请求失败, and the page stays with 重试', async (_, answer) => {
  const asked = vi.fn(answer);
  server.use(post('/movie/route', asked));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openPage('/multiplexDetail?id=g1');
  // The query is retried twice, after one second and two, before the error is shown.
  for (const [calls, wait] of [
    [1, 1000],
    [2, 2000],
  ] as const) {
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(calls));
    expect(screen.queryByText('请求失败')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(wait));
  }
  expect(await screen.findByText('请求失败')).toBeInTheDocument();
  expect(asked).toHaveBeenCalledTimes(3);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(window.location.pathname).toBe('/multiplexDetail');
  expect(screen.getByRole('button', { name: '重试' })).toBeVisible();
});

test('the gateway: without an answer of the source the page stays with 重试', async () => {
  server.use(post('/movie/route', () => gateway.reject('1001', '服务暂时不可用，请稍后再试', 'provider_unavailable')));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openPage('/multiplexDetail?id=g1');
  expect(await screen.findByText('服务暂时不可用，请稍后再试')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(window.location.pathname).toBe('/multiplexDetail');
  server.use(...shop);
  screen.getByRole('button', { name: '重试' }).click();
  await waitFor(() => expect(screen.queryByText('服务暂时不可用，请稍后再试')).toBeNull());
});

test('the gateway: 9999 reloads the page once, not repeatedly', async () => {
  const reload = vi.fn();
  const real = window.location;
  vi.stubGlobal(
    'location',
    new Proxy(
      {},
      {
        get: (_, name) => {
          if (name === 'reload') return reload;
          const value: unknown = Reflect.get(real, name, real);
          return typeof value === 'function' ? value.bind(real) : value;
        },
      },
    ),
  );
  let requests = 0;
  server.use(
    post('/movie/route', () => {
      requests += 1;
      return gateway.reject('9999', '');
    }),
  );
  openPage('/multiplexDetail?id=g1');
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(requests).toBe(1);
  await act(() => queryClient.refetchQueries());
  expect(requests).toBe(2);
  expect(reload).toHaveBeenCalledOnce();
});

test('leaving the page within a second of a rejection cancels going back', async () => {
  server.use(post('/movie/route', () => gateway.reject('2004', '影院不存在')));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const addresses = ['/helloWord', '/useexplain', '/multiplexDetail?id=g1'];
  for (const [idx, address] of addresses.entries())
    window.history.pushState({ idx, key: address, usr: null }, '', address);
  renderApp();
  expect(await screen.findByText('影院不存在')).toBeInTheDocument();
  act(() => window.history.back());
  await waitFor(() => expect(window.location.pathname).toBe('/useexplain'));
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(window.location.pathname).toBe('/useexplain');
});

test('leaving the page within a second of 请先登录 cancels the redirect to the login', async () => {
  server.use(post('/api/api.php/Card/lists', () => card.login()));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  session.logIn('old');
  for (const [idx, address] of ['/helloWord', '/securitycards'].entries())
    window.history.pushState({ idx, key: address, usr: null }, '', address);
  renderApp();
  expect(await screen.findByText('请先登录')).toBeInTheDocument();
  act(() => window.history.back());
  await waitFor(() => expect(window.location.pathname).toBe('/helloWord'));
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(window.location.pathname).toBe('/helloWord');
});
