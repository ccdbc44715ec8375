import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { renderApp } from '../../test/app';
import { advance } from '../../test/clock';
import { newAnswer } from '../../test/seat-answers';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { main, newmovie, post } from '../../test/wire';
import { refreshEvery } from '../features/booking/seat-map';
import { queryClient } from '../shop/query-client';
import { emit } from '../wire/events';
import { session } from '../wire/session';
import { loadScreen } from './app';
import { routes } from './routes';

const where = () => window.location.pathname + window.location.search;
const historyIndex = () => (window.history.state as { idx: number }).idx;

beforeEach(async () => {
  await Promise.all(
    routes.filter(({ path }) => /login|hotlist|orderInfo|hello|bindingCard/i.test(path)).map(loadScreen),
  );
  queryClient.clear();
  server.use(...shop);
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

/**
 * Opens `page` with /helloWord before it in the history, fills it in, ends the session and waits for the redirect to
 * the login.
 */
async function loseSessionOn(page: string, heading: RegExp, fill = async () => {}) {
  window.history.pushState(null, '', '/helloWord');
  renderApp();
  await screen.findByText(/当前版本/);
  act(() => {
    window.history.pushState({ idx: 1, key: 'b', usr: null }, '', page);
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await screen.findAllByText(heading);
  await fill();
  act(() => {
    session.logOut();
    emit('loginRequired', {});
  });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await waitFor(() => expect(where()).toBe('/login'));
}

/** Fills in the login form and submits it. */
async function logIn() {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.type(await screen.findByLabelText('手机号'), '13800000000');
  await user.type(screen.getByLabelText('验证码'), '123456');
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: '登录' }));
}

test('the login replaces a page that needs one in the history, and is replaced by it afterwards', async () => {
  session.logIn('old');
  await loseSessionOn('/orderInfo?tabIndex=1', /待付款/);
  expect(historyIndex()).toBe(1);
  await logIn();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=1'));
  expect(historyIndex()).toBe(1);
  act(() => window.history.back());
  await waitFor(() => expect(where()).toBe('/helloWord'));
});

test('a public page stays in the history below the login and is not added twice', async () => {
  await loseSessionOn('/hotlist?cityid=310100', /长风渡/);
  expect(historyIndex()).toBe(2);
  await logIn();
  await waitFor(() => expect(where()).toBe('/hotlist?cityid=310100'));
  expect(historyIndex()).toBe(1);
  act(() => window.history.back());
  await waitFor(() => expect(where()).toBe('/helloWord'));
});

test('going back from the login without logging in returns to the public page', async () => {
  await loseSessionOn('/hotlist?cityid=310100', /长风渡/);
  act(() => window.history.back());
  await waitFor(() => expect(where()).toBe('/hotlist?cityid=310100'));
});

test.each([
  '/filmdetail',
  '/multiplexDetail?city=310100',
  '/multiplexNewDetail',
  '/filmSeat?movieid=m1',
  '/filmNewSeat?cinemaId=c2',
  '/paymentpage?new=1',
  '/orderpage?id=',
])('%s shows 链接不完整 with a way to the home page, and sends no request', async (address) => {
  const requested = vi.fn();
  server.events.on('request:start', ({ request }) => void requested(request.url));
  session.logIn('tok');
  window.history.pushState(null, '', address);
  renderApp();
  expect(await screen.findByText('链接不完整，请从首页重新进入')).toBeVisible();
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull();
  expect(requested).not.toHaveBeenCalled();
  server.use(
    http.post('/movie/route/Movie/:op', () => HttpResponse.json(main.reject('internal', '系统繁忙，请稍后再试'))),
  );
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole('button', { name: '回到首页' }));
  await waitFor(() => expect(where()).toBe('/index'));
});

test('a login that was asked for a next page leads there, above the page that asked', async () => {
  window.history.pushState({ idx: 0 }, '', '/helloWord');
  renderApp();
  await screen.findByText(/当前版本/);
  act(() => emit('loginRequired', { next: '/orderInfo?tabIndex=1' }));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await waitFor(() => expect(where()).toBe('/login'));
  await logIn();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=1'));
  act(() => window.history.back());
  await waitFor(() => expect(where()).toBe('/helloWord'));
});

describe('a form that a login interrupts', () => {
  const number = () => screen.findByLabelText('卡号');

  async function fillAndLoseSession() {
    session.logIn('old', '1');
    await loseSessionOn('/bindingCard', /绑定福利卡/, async () => {
      const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
      await user.type(await number(), '6222020000001234');
    });
  }

  async function loseSessionAgain() {
    act(() => {
      session.logOut();
      emit('loginRequired', {});
    });
    await act(() => vi.advanceTimersByTimeAsync(1000));
    await waitFor(() => expect(where()).toBe('/login'));
  }

  /** Goes to another page of the open app. */
  function open(page: string) {
    act(() => {
      window.history.pushState({ idx: 2, key: page, usr: null }, '', page);
      window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }));
    });
  }

  test('is filled in after the login, again after a second one, and not on a later visit', async () => {
    await fillAndLoseSession();
    await logIn();
    expect(await number()).toHaveValue('6222020000001234');
    await loseSessionAgain();
    await logIn();
    expect(await number()).toHaveValue('6222020000001234');
    open('/helloWord');
    await screen.findByText(/当前版本/);
    open('/bindingCard');
    expect(await number()).toHaveValue('');
  });

  test('is empty for another account', async () => {
    server.use(post('/Login/phoneLogin', () => main.ok({ token: 'other', uid: '2', openid: '', yz_code: '' })));
    await fillAndLoseSession();
    await logIn();
    expect(await number()).toHaveValue('');
  });

  test('is empty after a login that began elsewhere', async () => {
    await fillAndLoseSession();
    open('/helloWord');
    await screen.findByText(/当前版本/);
    open('/bindingCard');
    await waitFor(() => expect(where()).toBe('/login'));
    await logIn();
    expect(await number()).toHaveValue('');
  });

  test('leaves nothing in the storage after a logout', async () => {
    await fillAndLoseSession();
    await logIn();
    await number();
    act(() => session.logOut());
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('6222020000001234');
  });

  test('is kept when the page reads its data again while the message is shown', async () => {
    const page = '/filmNewSeat?sessionId=9&cinemaId=c2&movieId=m1&sid=';
    const chosen = () => screen.findByRole('button', { name: /^删除/ });
    let arrived = Promise.resolve();
    const read = vi.fn(() => arrived.then(() => newmovie.ok(newAnswer())));
    server.use(
      post('/newmovie/seat/map', read),
      post('/newmovie/seat/unpaid', () => newmovie.ok({ orderid: '', type: 0 })),
    );
    session.logIn('old', '1');
    await loadScreen(routes.find(({ path }) => path === '/filmNewSeat')!);
    await loseSessionOn(page, /请先选座/, async () => {
      const [free] = await screen.findAllByRole('gridcell', { name: /，可选/ });
      await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(free!);
      await chosen();
      read.mockClear();
      await waitFor(() => expect(read).toHaveBeenCalled());
      await advance(refreshEvery - 500);
      arrived = new Promise(() => {});
    });
    arrived = Promise.resolve();
    await logIn();
    await waitFor(() => expect(where()).toBe(page));
    expect(await chosen()).toBeVisible();
  });
});
