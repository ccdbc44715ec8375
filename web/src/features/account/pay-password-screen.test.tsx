import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { findToast, renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import PayPasswordScreen from './pay-password-screen';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

/** Renders the screen, fills in the fields that are not empty and submits the form. */
async function fillAndSubmit(password: string, again: string, code: string) {
  const user = userEvent.setup();
  const view = renderScreen(<PayPasswordScreen />, '/payPassword');
  if (password) await user.type(screen.getByLabelText('支付密码'), password);
  if (again) await user.type(screen.getByLabelText('确认密码'), again);
  if (code) await user.type(screen.getByLabelText('验证码'), code);
  await user.click(screen.getByRole('button', { name: '确定' }));
  return view;
}

test.each([
  ['letters', 'abc123', 'abc123', '123456', '请输入6位数字密码'],
  ['five digits', '12345', '12345', '123456', '请输入6位密码'],
  ['a confirmation of five', '246810', '24681', '123456', '请再次输入6位密码'],
  ['another confirmation', '246810', '246811', '123456', '两次输入密码不一致'],
  ['no code', '246810', '246810', '', '请输入验证码'],
])('a new payment password with %s is rejected: %s', async (_, password, again, code, words) => {
  const sent = vi.fn(() => main.ok({}));
  server.use(post('/Member/editpassword', sent));
  await fillAndSubmit(password, again, code);
  expect(await findToast(words)).toBeVisible();
  expect(screen.getByRole('button', { name: '确定' })).toHaveAccessibleDescription(words);
  expect(sent).not.toHaveBeenCalled();
});

test('each of the two fields shows and hides its digits', async () => {
  const user = userEvent.setup();
  renderScreen(<PayPasswordScreen />, '/payPassword');
  const field = screen.getByLabelText('支付密码');
  await user.type(field, '246810');
  expect(field).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: '显示支付密码' }));
  expect(field).toHaveAttribute('type', 'text');
  expect(field).toHaveValue('246810');
  expect(screen.getByLabelText('确认密码')).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: '隐藏支付密码' }));
  expect(field).toHaveAttribute('type', 'password');
});

test('a good payment password is set with the code: 修改成功, and back', async () => {
  let sent: Record<string, string> = {};
  server.use(
    post('/Member/editpassword', (fields) => {
      sent = fields;
      return main.ok({});
    }),
  );
  const { where } = await fillAndSubmit('246810', '246810', '123456');
  expect(await screen.findByText('修改成功')).toBeVisible();
  expect(sent).toMatchObject({ token: 'tok', code: '123456', password: '246810' });
  await waitFor(() => expect(where()).not.toBe('/payPassword'));
});

test.each([
  ['code_wrong', '验证码错误或已过期', { tries_left: 3 }, '验证码', '验证码错误或已过期，还可尝试 3 次'],
  ['code_locked', '验证码错误次数过多，请重新获取', null, '验证码', '验证码错误次数过多，请重新获取'],
  ['password_weak', '密码过于简单，请更换', null, '支付密码', '密码过于简单，请更换'],
] as const)('%s is said at its field, and the page stays', async (code, message, data, label, says) => {
  server.use(post('/Member/editpassword', () => main.reject(code, message, data)));
  const { where } = await fillAndSubmit('246810', '246810', '000000');
  await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(says));
  await waitFor(() => expect(where()).toBe('/payPassword'));
});

test("the code goes to the buyer's own phone, and another can be sent after 60 s", async () => {
  const sent = vi.fn((_: Record<string, string>) => main.ok({ wait: 60 }));
  server.use(post('/Member/getsendcode', sent));
  const user = userEvent.setup();
  renderScreen(<PayPasswordScreen />, '/payPassword');
  expect(await screen.findByText('验证码将发送至 138****0000')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '获取验证码' }));
  expect(await screen.findByRole('button', { name: '60s后重新获取' })).toBeDisabled();
  expect(sent.mock.calls[0]?.[0]).toMatchObject({ token: 'tok' });
});

test('leaving before the shop has answered shows 修改成功 without going back', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    post('/Member/editpassword', async () => {
      await held;
      return main.ok({});
    }),
  );
  window.history.replaceState({ idx: 1 }, '', '/');
  const { where } = await fillAndSubmit('246810', '246810', '123456');
  await userEvent.click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(where()).toBe('/before'));
  answer();
  expect(await screen.findByText('修改成功')).toBeVisible();
  expect(where()).toBe('/before');
});
