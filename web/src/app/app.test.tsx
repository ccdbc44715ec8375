import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderApp } from '../../test/app';
import { pass, stopClock } from '../../test/clock';
import { server } from '../../test/server';
import { main, post } from '../../test/wire';
import { carriedIdentity } from '../session/carried-identity';
import { emit } from '../wire/events';
import { session } from '../wire/session';
import { routes } from './routes';

function openPage(address: string) {
  window.history.pushState(null, '', address);
  return renderApp();
}

function setMessagingAppUserAgent() {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
}

const where = () => window.location.pathname + window.location.search;

beforeEach(() => {
  server.use(
    post('/Login/index', () => main.ok({ weblogo: '', zxkf: '' })),
    post('/Login/single', () => main.ok({ title: '隐私政策', content: '<p>正文</p>' })),
  );
});

test('every route has one path, a Chinese title and a screen that can be loaded', async () => {
  expect(new Set(routes.map((route) => route.path)).size).toBe(routes.length);
  for (const { path, title } of routes) {
    expect(path).toMatch(/^\/[A-Za-z]+$/);
    expect(title).toMatch(/^\p{Script=Han}+$/u);
  }
  expect(routes.filter((route) => route.tabBar).map((route) => route.path)).toEqual([
    '/index',
    '/multiplex',
    '/personCenter',
  ]);
});

test('an identity that was not bound leads to the login that binds a phone, and back to the page', async () => {
  openPage('/helloWord');
  await screen.findByText(/当前版本/);
  act(() => emit('identityUnbound', { openid: 'o-1', yz_code: 'yz-1' }));
  await waitFor(() => expect(where()).toBe('/login?isphone=1'));
  expect(carriedIdentity.get()).toEqual({ openid: 'o-1', yz_code: 'yz-1' });
  expect((window.history.state as { usr: unknown }).usr).toEqual({ from: '/helloWord' });
  expect(await screen.findByText('请验证手机号，确认要绑定的账号')).toBeVisible();
});

test('the title follows the page', async () => {
  openPage('/yinsizhengce');
  expect(document.title).toBe('隐私政策');
  act(() => {
    window.history.pushState(null, '', '/helloWord');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await waitFor(() => expect(document.title).toBe('关于'));
});

test('a page that needs a login leads to it, and quick login inside the messaging app', async () => {
  const first = openPage('/orderInfo?tabIndex=1');
  await waitFor(() => expect(where()).toBe('/login'));
  expect(window.history.state.usr).toEqual({ from: '/orderInfo?tabIndex=1' });
  first.unmount();
  setMessagingAppUserAgent();
  openPage('/filmSeat?opiid=1&movieid=2');
  await waitFor(() => expect(window.location.pathname).toBe('/quickLogin'));
});

test('a call rejected without a login shows 请先登录 and redirects to the login after a second', async () => {
  openPage('/helloWord');
  await screen.findByRole('main');
  stopClock();
  act(() => {
    emit('loginRequired', {});
    emit('loginRequired', {});
  });
  expect(screen.getByText('请先登录')).toBeInTheDocument();
  await pass(999);
  expect(where()).toBe('/helloWord');
  await pass(1);
  expect(where()).toBe('/login');
});

test('a rejection of the gateway is shown, and the app goes back after a second', async () => {
  openPage('/helloWord');
  await screen.findByRole('main');
  window.history.replaceState({ idx: 1 }, '', '/helloWord');
  const back = vi.spyOn(window.history, 'go').mockImplementation(() => {});
  stopClock();
  act(() => emit('gatewayRejected', { message: '暂无数据' }));
  expect(screen.getByText('暂无数据')).toBeInTheDocument();
  await pass(999);
  expect(back).not.toHaveBeenCalled();
  await pass(1);
  expect(back).toHaveBeenCalledWith(-1);
});

test('while the shop is too busy to begin a call, the app says that it tries again', async () => {
  openPage('/helloWord');
  await screen.findByRole('main');
  act(() => emit('busy', {}));
  expect(screen.getByText('当前访问人数过多，正在重试')).toBeInTheDocument();
});

test('the tab bar: films, cinemas, mine; mine is hidden by the change flag', async () => {
  server.use(
    post('/Member/index', () => main.reject('internal', '系统繁忙，请稍后再试')),
    post('/newmovie/seat/userinfo', () => main.reject('internal', '系统繁忙，请稍后再试')),
  );
  session.logIn('T1');
  openPage('/personCenter');
  const links = () => screen.getAllByRole('link').filter((link) => link.closest('nav[aria-label="主导航"]'));
  expect(links().map((link) => link.textContent)).toEqual(['影片', '影院', '我的']);
  expect(links().map((link) => link.getAttribute('href'))).toEqual(['/index', '/multiplex', '/personCenter']);
  expect(links()[2]).toHaveAttribute('aria-current', 'page');
  act(() => session.setChange());
  expect(links().map((link) => link.textContent)).toEqual(['影片', '影院']);
});

test('/ redirects to the home page, and an unknown address shows 页面不存在', async () => {
  const unknown = openPage('/nowhere');
  expect(await screen.findByText('页面不存在')).toBeInTheDocument();
  unknown.unmount();
  server.use(
    http.post('/movie/route/Movie/:op', () => HttpResponse.json(main.reject('internal', '系统繁忙，请稍后再试'))),
  );
  window.history.pushState(null, '', '/');
  server.resetHandlers();
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
  renderApp();
  await waitFor(() => expect(window.location.pathname).toBe('/index'));
});

test('the offline notice is shown while there is no network', async () => {
  openPage('/helloWord');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText(/网络已断开/)).toBeInTheDocument();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(/网络已断开/)).not.toBeInTheDocument();
});

test('a page whose chunk is lost names the network as a cause', async () => {
  const { pageError } = await import('./page-error');
  render(pageError(true));
  expect(screen.getByRole('alert')).toHaveTextContent('页面没有加载成功，请检查网络后重试');
});

test('a page that throws shows an error with a retry and a way to the home page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { ErrorBoundary } = await import('../ui/error-boundary');
  const { pageError } = await import('./page-error');
  const Broken = () => {
    throw new Error('broken');
  };
  render(
    <ErrorBoundary error={pageError}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('页面出错了，请重试');
  await userEvent.tab();
  expect(screen.getByRole('button', { name: '重试' })).toHaveFocus();
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  await userEvent.click(screen.getByRole('button', { name: '回到首页' }));
  vi.unstubAllGlobals();
  expect(assign).toHaveBeenCalledWith('/index');
});
