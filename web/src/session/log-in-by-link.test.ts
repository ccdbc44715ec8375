import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../test/render';
import { server } from '../../test/server';
import { main, post } from '../../test/wire';
import { session } from '../wire/session';
import { logInByLink } from './log-in-by-link';

/** Answers the login by link, and records the tokens of the calls. */
function answerLink(uid = '1') {
  const exchanged = vi.fn((_: Record<string, string>) =>
    main.ok({ token: 'linked', uid, openid: '', yz_code: '', phone: '138****0000', access: 'link' as const }),
  );
  const ended = vi.fn((_: Record<string, string>) => main.ok({}));
  server.use(post('/Login/linkLogin', exchanged), post('/Login/logout', ended));
  return { exchanged, ended };
}

test('the token of a link becomes a session that names its account and may not do everything', async () => {
  const { exchanged, ended } = answerLink();
  renderScreen(null, '/index');
  await logInByLink('T9');
  expect(exchanged.mock.calls[0]?.[0]).toMatchObject({ token: 'T9' });
  expect(session.token()).toBe('linked');
  expect(session.linkedPhone()).toBe('138****0000');
  expect(session.access()).toBe('link');
  expect(ended).not.toHaveBeenCalled();
});

test('a link with a token of no session leaves the customer logged out and says so', async () => {
  server.use(post('/Login/linkLogin', () => main.reject('link_token_invalid', '登录链接已失效，请重新登录')));
  renderScreen(null, '/index');
  await logInByLink('T9');
  expect(session.token()).toBe('');
  expect(session.linkedPhone()).toBe('');
  expect(await screen.findByText('登录链接已失效，请重新登录')).toBeVisible();
});

test.each([
  ['切换', 'linked', 'mine'],
  ['不切换', 'mine', 'linked'],
])('a link to another account asks: %s', async (answer, kept, over) => {
  session.logIn('mine', '7');
  const { ended } = answerLink('8');
  renderScreen(null, '/index');
  const done = logInByLink('T9');
  expect(await screen.findByText('链接要登录的账号是 138****0000，切换后将退出当前账号。')).toBeVisible();
  expect(session.token()).toBe('mine');
  await userEvent.click(screen.getByRole('button', { name: answer }));
  await done;
  expect(session.token()).toBe(kept);
  await vi.waitFor(() => expect(ended.mock.calls[0]?.[0]).toMatchObject({ token: over }));
});

test('a link to the account that is logged in asks nothing', async () => {
  session.logIn('mine', '7');
  const { ended } = answerLink('7');
  renderScreen(null, '/index');
  await logInByLink('T9');
  expect(session.token()).toBe('mine');
  expect(session.linkedPhone()).toBe('');
  expect(screen.queryByText('切换账号？')).toBeNull();
  await vi.waitFor(() => expect(ended.mock.calls[0]?.[0]).toMatchObject({ token: 'linked' }));
});
