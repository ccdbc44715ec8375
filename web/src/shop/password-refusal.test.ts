import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../wire/api-error';
import { passwordMessage } from './password-refusal';

const wrong = (data: unknown) => new ApiError('refused', 'payment_password_wrong', '支付密码错误', { data });
const locked = (data: unknown) =>
  new ApiError('refused', 'payment_password_locked', '密码错误次数过多，请30分钟后再试', { data });

afterEach(() => vi.useRealTimers());

test('a wrong payment password tells how many tries are left', () => {
  expect(passwordMessage(wrong({ tries_left: 3 }))).toBe('支付密码错误，还可尝试 3 次');
});

test('a locked payment password tells when the lock ends, in China and not before its end', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-23T18:12:05+08:00') });
  expect(passwordMessage(locked({ wait: 1800 }))).toBe('密码错误次数过多，请30分钟后再试（今天\u00a018:43\u00a0解锁）');
  vi.setSystemTime(Date.parse('2026-11-23T23:48:05+08:00'));
  expect(passwordMessage(locked({ wait: 1800 }))).toBe('密码错误次数过多，请30分钟后再试（明天\u00a000:19\u00a0解锁）');
});

test.each([
  null,
  undefined,
  {},
  { tries_left: 'many', wait: 'long' },
])('without a number, %o, the message of the shop stands alone', (data) => {
  expect(passwordMessage(wrong(data))).toBe('支付密码错误');
  expect(passwordMessage(locked(data))).toBe('密码错误次数过多，请30分钟后再试');
});

test('other failures keep their message', () => {
  expect(passwordMessage(new ApiError('refused', 'phone_taken', '该手机号已注册其他账号', { data: { wait: 9 } }))).toBe(
    '该手机号已注册其他账号',
  );
  expect(passwordMessage(new ApiError('login', 'login_required', '请先登录'))).toBeUndefined();
});
