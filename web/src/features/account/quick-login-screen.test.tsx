import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, newmovie, post } from '../../../test/wire';
import { carriedIdentity } from '../../session/carried-identity';
import { openIDStorage } from '../../session/openid';
import QuickLoginScreen from './quick-login-screen';

const everyone = { token: '', uid: '', openid: '', yz_code: '' };

beforeEach(() => {
  server.use(...shop);
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
});
afterEach(() => window.history.replaceState(null, '', '/'));

/** Renders the screen with `search` in the address, where the messaging app puts its code. */
function renderWithSearch(search: string) {
  window.history.replaceState(null, '', `/quickLogin${search}`);
  return renderScreen(<QuickLoginScreen />, '/quickLogin');
}

test('the first visit asks the shop for the authorization address of the messaging app', async () => {
  const asked = vi.fn((_: Record<string, string>) => main.reject('internal', '稍后再试'));
  server.use(post('/Login/wxlogin', asked));
  renderWithSearch('');
  await screen.findByText('稍后再试');
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ url: `${window.location.origin}/quickLogin` });
});

test('a returned code is exchanged, logs in and is removed from the address', async () => {
  const exchanged = vi.fn((_: Record<string, string>) => main.ok({ openid: 'o-1', yz_code: 'yz-1', bound: false }));
  const logged = vi.fn((_: Record<string, string>) => newmovie.ok({ ...everyone, token: 'tok-9', openid: 'o-1' }));
  server.use(post('/Login/getopenid', exchanged), post('/newmovie/seat/quicklogin', logged));
  const { where } = renderWithSearch('?code=c-1&state=st');
  await waitFor(() => expect(where()).toBe('/index'));
  expect(exchanged).toHaveBeenCalledTimes(1);
  expect(exchanged.mock.calls[0]?.[0]).toMatchObject({ code: 'c-1', state: 'st' });
  expect(logged.mock.calls[0]?.[0]).toMatchObject({ openid: 'o-1', yz_code: 'yz-1' });
  expect(localStorage.getItem('token')).toBe('tok-9');
  expect(window.location.search).toBe('');
});

describe('with a stored openid', () => {
  beforeEach(() => openIDStorage.set('o-1'));
  afterEach(() => openIDStorage.remove());

  test('quick login asks for it first and needs no authorization', async () => {
    const authorized = vi.fn(() => main.reject('internal', '稍后再试'));
    const logged = vi.fn((_: Record<string, string>) => newmovie.ok({ ...everyone, token: 'tok-9', openid: 'o-1' }));
    server.use(post('/Login/wxlogin', authorized), post('/newmovie/seat/quicklogin', logged));
    const { where } = renderWithSearch('');
    await waitFor(() => expect(where()).toBe('/index'));
    expect(logged.mock.calls.map(([form]) => [form.openid, form.yz_code])).toEqual([['o-1', undefined]]);
    expect(authorized).not.toHaveBeenCalled();
    expect(localStorage.getItem('token')).toBe('tok-9');
  });

  test('a rejection leads to a new authorization without a message', async () => {
    const authorized = vi.fn((_: Record<string, string>) => main.reject('internal', '稍后再试'));
    server.use(
      post('/newmovie/seat/quicklogin', () => newmovie.reject('openid_unproven', '微信身份已过期，请重新登录')),
      post('/Login/wxlogin', authorized),
    );
    renderWithSearch('');
    await screen.findByText('稍后再试');
    expect(authorized).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('微信身份已过期，请重新登录')).toBeNull();
  });
});

test('an identity without a phone goes to /login, with openid and yz_code in memory', async () => {
  server.use(post('/newmovie/seat/quicklogin', () => newmovie.ok({ ...everyone, openid: 'o-1', yz_code: 'yz-2' })));
  const { where } = renderWithSearch('?code=c-1&state=st');
  await waitFor(() => expect(where()).toBe('/login?isphone=1'));
  expect(carriedIdentity.get()).toEqual({ openid: 'o-1', yz_code: 'yz-2' });
  expect(localStorage.getItem('token')).toBeNull();
});

test('an expired code shows the message of the shop and offers other ways to log in', async () => {
  server.use(post('/Login/getopenid', () => main.reject('oauth_code_invalid', '微信授权已失效，请重试')));
  const user = userEvent.setup();
  const { where } = renderWithSearch('?code=used&state=st');
  expect(await screen.findByText('微信授权已失效，请重试')).toBeVisible();
  expect(screen.getByRole('button', { name: '重新授权' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: '手机号登录' }));
  await waitFor(() => expect(where()).toBe('/login'));
});

test('outside of the messaging app quick login offers the login by phone', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 Chrome/120');
  renderWithSearch('');
  expect(await screen.findByText('请在微信中打开，或使用手机号登录')).toBeVisible();
  expect(screen.queryByRole('button', { name: '重新授权' })).toBeNull();
  expect(screen.getByRole('button', { name: '手机号登录' })).toBeVisible();
});

test('outside of the messaging app the link of quick login can be copied to be opened in it', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 Chrome/120');
  const user = userEvent.setup();
  renderWithSearch('');
  await user.click(await screen.findByRole('button', { name: '复制链接' }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/quickLogin`);
});

test('quick login is below the logo of the shop, above its legal texts', async () => {
  server.use(post('/Login/wxlogin', () => main.reject('internal', '稍后再试')));
  const { container } = renderWithSearch('');
  await waitFor(() => expect(container.querySelector('img')).toHaveAttribute('src', '/art/logo.svg'));
  expect(screen.getByRole('link', { name: '《用户协议》' })).toHaveAttribute('href', '/useexplain');
  expect(screen.getByRole('link', { name: '《隐私政策》' })).toHaveAttribute('href', '/yinsizhengce');
});
