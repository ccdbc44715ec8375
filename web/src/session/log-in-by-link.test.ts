import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../test/render';
import { server } from '../../test/server';
import { main, post } from '../../test/wire';
import { session } from '../wire/session';
import { logInByLink } from './log-in-by-link';

test('the code of a link becomes a session, and the account is named', async () => {
  const exchanged = vi.fn((_: Record<string, string>) =>
    main.ok({ token: 'tok', uid: '1', openid: '', yz_code: '', phone: '138****0000' }),
  );
  server.use(post('/Login/linkLogin', exchanged));
  renderScreen(null, '/index');
  await logInByLink('1.code');
  expect(exchanged.mock.calls[0]?.[0]).toMatchObject({ code: '1.code' });
  expect(session.token()).toBe('tok');
  expect(await screen.findByText('已登录账号 138****0000')).toBeVisible();
});

test('a link that was used or is too old leaves the customer logged out and says so', async () => {
  server.use(post('/Login/linkLogin', () => main.refuse('link_code_invalid', '登录链接已失效，请重新登录')));
  renderScreen(null, '/index');
  await logInByLink('1.code');
  expect(session.token()).toBe('');
  expect(await screen.findByText('登录链接已失效，请重新登录')).toBeVisible();
});
