import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../wire/api-error';
import { fieldOf, lockEnd, rejectionMessage } from './rejection';

const wrong = (data: unknown) => new ApiError('rejected', 'payment_password_wrong', '支付密码错误', { data });
const locked = (data: unknown) =>
  new ApiError('rejected', 'payment_password_locked', '密码错误次数过多，请30分钟后再试', { data });

afterEach(() => vi.useRealTimers());

test('the message for a wrong payment password contains the number of tries left', () => {
  expect(rejectionMessage(wrong({ tries_left: 3 }))).toBe('支付密码错误，还可尝试 3 次');
});

test.each([
  ['2026-11-23T18:42:05+08:00', '今天\u00a018:43'],
  ['2026-11-24T00:18:05+08:00', '明天\u00a000:19'],
])('the message for a lock contains its end by the clock of the shop, not of the phone: %s', (end, shown) => {
  // The phone is a day behind.
  vi.useFakeTimers({ now: Date.parse(end) - 86_400_000 });
  const failure = locked({ wait: 1800, until: Date.parse(end) / 1000 });
  expect(rejectionMessage(failure)).toBe(`密码错误次数过多，请30分钟后再试（${shown}\u00a0解锁）`);
  expect(lockEnd(failure)).toBe(Date.now() + 1_800_000);
});

test('the message for the hourly or daily limit of SMS codes contains when the next one can be requested', () => {
  const end = '2026-11-24T09:05:00+08:00';
  const data = { wait: 3600, until: Date.parse(end) / 1000 };
  expect(rejectionMessage(new ApiError('rejected', 'sms_limited', '发送过于频繁，请稍后再试', { data }))).toBe(
    '发送过于频繁，请稍后再试（今天\u00a009:05\u00a0后可重新获取）',
  );
});

test('a wait without an end is not a lock', () => {
  expect(lockEnd(new ApiError('rejected', 'sms_limited', '发送过于频繁', { data: { wait: 9 } }))).toBeUndefined();
});

test.each([
  ['code_wrong', undefined, 'code'],
  ['code_wrong', { field: 'newcode', tries_left: 4 }, 'newcode'],
  ['payment_password_locked', { wait: 60, until: 1_777_600_000 }, 'password'],
  ['password_weak', null, 'password'],
  ['phone_taken', undefined, 'phone'],
  ['openid_unproven', undefined, undefined],
])('%s with %o is about the field %s', (code, data, field) => {
  expect(fieldOf(new ApiError('rejected', code, '错误', { data }))).toBe(field);
});

test.each([
  null,
  undefined,
  {},
  { tries_left: 'many', wait: 'long', until: 'soon' },
])('without a number, %o, the message of the shop is unchanged', (data) => {
  expect(rejectionMessage(wrong(data))).toBe('支付密码错误');
  expect(rejectionMessage(locked(data))).toBe('密码错误次数过多，请30分钟后再试');
});

test('other failures keep their message', () => {
  expect(
    rejectionMessage(new ApiError('rejected', 'phone_taken', '该手机号已注册其他账号', { data: { wait: 9 } })),
  ).toBe('该手机号已注册其他账号');
  expect(rejectionMessage(new ApiError('login', 'login_required', '请先登录'))).toBeUndefined();
});
