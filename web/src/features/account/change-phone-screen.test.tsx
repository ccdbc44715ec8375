import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import { config } from '../../wire/config';
import ChangePhoneScreen from './change-phone-screen';
import CloseAccountScreen from './close-account-screen';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

afterEach(() => {
  config.captcha = undefined;
  window.TencentCaptcha = undefined;
  window.history.replaceState(null, '', '/');
});

test('the challenge before a code to the new phone is shown, and the code is requested with its answer', async () => {
  const asked: Record<string, string>[] = [];
  server.use(
    post('/Member/security', () => main.ok({ phone: '138****0001', wechat: false, has_password: false })),
    post('/Member/newphonecode', (fields) => {
      asked.push(fields);
      return fields.ticket ? main.ok({ wait: 60 }) : main.reject('challenge_required', '请先完成安全验证');
    }),
  );
  config.captcha = { appId: '190000001', script: 'https://captcha.example/script.js' };
  window.TencentCaptcha = class {
    constructor(
      _: string,
      private callback: (shown: { ret: number; ticket: string; randstr: string }) => void,
    ) {}
    show() {
      this.callback({ ret: 0, ticket: 't03', randstr: '@r' });
    }
  };
  const user = userEvent.setup();
  renderScreen(<ChangePhoneScreen />, '/changePhone');
  await user.type(await screen.findByLabelText('新手机号'), '13900000002');
  const [, toNewPhone] = screen.getAllByRole('button', { name: '获取验证码' });
  if (!toNewPhone) throw new Error('the new phone has no button for its code');
  await user.click(toNewPhone);
  expect(await screen.findByText('验证码已发送')).toBeVisible();
  expect(asked).toHaveLength(2);
  expect(asked[1]).toMatchObject({ token: 'tok', phone: '13900000002', ticket: 't03', randstr: '@r' });
});

test('a proof of the identity is asked for again after a rejected change of the phone', async () => {
  server.use(
    post('/Member/security', () => main.ok({ phone: '', wechat: true, has_password: false })),
    post('/Member/changephone', () => main.reject('phone_taken', '该手机号已注册其他账号')),
  );
  window.history.replaceState(null, '', '/changePhone?code=c-1&state=st');
  const user = userEvent.setup();
  renderScreen(<ChangePhoneScreen />, '/changePhone');
  await screen.findByText(/微信身份已确认/);
  await user.type(screen.getByLabelText('新手机号'), '13900000002');
  await user.type(screen.getByLabelText('新验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '绑定手机号' }));
  expect(await screen.findByText('该手机号已注册其他账号')).toBeVisible();
  expect(screen.getByLabelText('新手机号')).toHaveAccessibleDescription('该手机号已注册其他账号');
  expect(await screen.findByRole('button', { name: /^验证微信身份/ })).toBeVisible();
});

test('the error of a wrong payment password contains how many tries are left', async () => {
  server.use(
    post('/Member/security', () => main.ok({ phone: '138****0001', wechat: true, has_password: true })),
    post('/Member/changephone', () => main.reject('payment_password_wrong', '支付密码错误', { tries_left: 2 })),
  );
  window.history.replaceState(null, '', '/changePhone?lost=1&code=c-1&state=st');
  const user = userEvent.setup();
  renderScreen(<ChangePhoneScreen />, '/changePhone?lost=1');
  await screen.findByText(/微信身份已确认/);
  await user.type(screen.getByLabelText('支付密码'), '999999');
  await user.type(screen.getByLabelText('新手机号'), '13900000002');
  await user.type(screen.getByLabelText('新验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '更换手机号' }));
  expect(await screen.findByText('支付密码错误，还可尝试 2 次')).toBeVisible();
  expect(screen.getByLabelText('支付密码')).toHaveAccessibleDescription('支付密码错误，还可尝试 2 次');
});

test.each([
  [undefined, '验证码', '新验证码'],
  ['newcode', '新验证码', '验证码'],
])('a wrong code is said at its field, field %s', async (field, wrong, right) => {
  server.use(
    post('/Member/security', () => main.ok({ phone: '138****0001', wechat: true, has_password: true })),
    post('/Member/changephone', () => main.reject('code_wrong', '验证码错误或已过期', { field, tries_left: 4 })),
  );
  const user = userEvent.setup();
  renderScreen(<ChangePhoneScreen />, '/changePhone');
  await user.type(await screen.findByLabelText('验证码'), '111111');
  await user.type(screen.getByLabelText('新手机号'), '13900000002');
  await user.type(screen.getByLabelText('新验证码'), '222222');
  await user.click(screen.getByRole('button', { name: '更换手机号' }));
  await waitFor(() =>
    expect(screen.getByLabelText(wrong)).toHaveAccessibleDescription('验证码错误或已过期，还可尝试 4 次'),
  );
  expect(screen.getByLabelText(right)).toHaveAccessibleDescription('');
});

test('a proof of the identity is asked for again after a rejected closing of the account', async () => {
  server.use(
    post('/Member/closing', () => main.ok({ unfinished: [], cards: 0, points: '0', vouchers: 0, phone: '' })),
    post('/Member/close', () => main.reject('identity_unconfirmed', '该微信绑定时间较短，暂不能用于验证身份')),
  );
  window.history.replaceState(null, '', '/closeAccount?code=c-1&state=st');
  const user = userEvent.setup();
  renderScreen(<CloseAccountScreen />, '/closeAccount');
  await screen.findByText(/微信身份已确认/);
  await user.click(screen.getByRole('button', { name: '注销账号' }));
  await user.click(await screen.findByRole('button', { name: '确定' }));
  expect(await screen.findByText('该微信绑定时间较短，暂不能用于验证身份')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('button', { name: /^验证微信身份/ })).toBeVisible());
});

test('the account cannot be closed while something is missing, which is shown with the button', async () => {
  server.use(
    post('/Member/closing', () =>
      main.ok({ unfinished: [], cards: 1, points: '88.00', vouchers: 0, phone: '138****0001' }),
    ),
  );
  const user = userEvent.setup();
  renderScreen(<CloseAccountScreen />, '/closeAccount');
  const close = await screen.findByRole('button', { name: '注销账号' });
  expect(close).toHaveAttribute('aria-disabled', 'true');
  expect(close).toHaveAccessibleDescription('还需勾选自愿放弃权益、填写验证码，才能注销账号');
  await user.click(screen.getByRole('checkbox'));
  expect(close).toHaveAccessibleDescription('还需填写验证码，才能注销账号');
  await user.type(screen.getByLabelText('验证码'), '123456');
  expect(close).not.toHaveAttribute('aria-disabled');
  expect(close).not.toHaveAccessibleDescription();
});

test('the phone cannot be changed before the proof and the new phone, which is shown with the button', async () => {
  server.use(post('/Member/security', () => main.ok({ phone: '138****0001', wechat: true, has_password: true })));
  const user = userEvent.setup();
  renderScreen(<ChangePhoneScreen />, '/changePhone');
  const change = await screen.findByRole('button', { name: '更换手机号' });
  expect(change).toHaveAttribute('aria-disabled', 'true');
  expect(change).toHaveAccessibleDescription('请输入当前手机号收到的验证码');
  await user.type(screen.getByLabelText('验证码'), '123456');
  await user.type(screen.getByLabelText('新手机号'), '13900000002');
  expect(change).toHaveAccessibleDescription('请输入新手机号收到的验证码');
  await user.type(screen.getByLabelText('新验证码'), '654321');
  expect(change).not.toHaveAttribute('aria-disabled');
});
