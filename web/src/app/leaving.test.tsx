import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderApp } from '../../test/app';
import { shanghai } from '../../test/samples';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { main, post } from '../../test/wire';
import { emit } from '../wire/events';
import { session } from '../wire/session';

/** Returns a promise and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const chunk = gate();
const loginChunk = gate();

// The chunks of these two pages are loaded only when a test opens their gates.
vi.doMock('../features/cinemas/cinemas-screen.tsx', async (load) => {
  await chunk.opened;
  return load();
});
vi.doMock('../features/account/login-screen.tsx', async (load) => {
  await loginChunk.opened;
  return { loader: undefined, ...(await load<object>()) };
});

test('a page does not cancel the navigation to a page whose chunk is being loaded', async () => {
  const cities = gate();
  server.use(
    post('/movie/route/Movie/hotcity', async () => {
      await cities.opened;
      return main.ok({ list: [shanghai] });
    }),
    ...shop,
  );
  window.history.pushState(null, '', '/index');
  renderApp();
  await screen.findByRole('heading', { name: '电影' }, { timeout: 20_000 });
  await userEvent.click(await screen.findByRole('link', { name: '影院' }));
  // The shown page puts its city into its address as soon as it is known.
  cities.open();
  await screen.findByRole('link', { name: new RegExp(shanghai.name) }, { timeout: 20_000 });
  chunk.open();
  await waitFor(() => expect(window.location.pathname).toBe('/multiplex'));
});

test('a call that fails while the login is being loaded does not redirect to it again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(...shop);
  session.logIn('old');
  window.history.pushState({ idx: 1, key: 'b', usr: { direct: true } }, '', '/bindingCard');
  renderApp();
  await screen.findByRole('heading', { name: '绑定福利卡' }, { timeout: 20_000 });
  const redirectDelay = 1100; // a little longer than that of the app
  session.logOut();
  emit('loginRequired', {});
  await act(() => vi.advanceTimersByTimeAsync(redirectDelay));
  expect(window.location.pathname).toBe('/bindingCard');
  emit('loginRequired', {});
  loginChunk.open();
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  await act(() => vi.advanceTimersByTimeAsync(redirectDelay));
  expect(window.history.state.usr).toMatchObject({ from: '/bindingCard', entry: { direct: true } });
});
