import { expect, test } from 'vitest';
import { ApiError } from '../wire/api-error';
import { nextState, type PaymentEvent, readyToPay, remarkAfter, remarkOnAttempt, remarkOnQuery } from './payment-state';

const after = (...events: PaymentEvent[]) => events.reduce(nextState, readyToPay);

const start: PaymentEvent = { type: 'attempt-started' };
const ask: PaymentEvent = { type: 'password-needed' };
const query: PaymentEvent = { type: 'query-started' };
const wrong: PaymentEvent = { type: 'password-rejected', message: '支付密码错误' };
const remark = { kind: 'failed', text: '系统繁忙' } as const;
const fail: PaymentEvent = { type: 'ended', remark };

const sending = after(start);
const sendingFromSheet = after(ask, start);
const querying = after(start, fail, query);

test('the password sheet opens, stays open while the payment is sent, and closes with the attempt', () => {
  expect(after(ask).step).toEqual({ name: 'asking-password' });
  expect(sendingFromSheet.step).toEqual({ name: 'sending', sheet: true });
  expect(nextState(sendingFromSheet, { type: 'ended' })).toEqual(readyToPay);
});

test('a dismissed sheet leaves the remark on the last attempt', () => {
  expect(after(start, fail, ask, { type: 'password-dismissed' })).toEqual({ step: { name: 'ready' }, remark });
});

test('an attempt without a password has no sheet', () => {
  expect(sending.step).toEqual({ name: 'sending', sheet: false });
});

test('an attempt removes the remark on the last one', () => {
  expect(after(start, fail).remark).toEqual(remark);
  expect(after(start, fail, ask).remark).toEqual(remark);
  expect(after(start, fail, ask, start).remark).toBeUndefined();
});

test.each<[string, PaymentEvent]>([
  ['an attempt', start],
  ['a query', query],
  ['the pay button', ask],
  ['the dismissal of the sheet', { type: 'password-dismissed' }],
])('%s is ignored while an attempt or a query is running', (_name, event) => {
  for (const busy of [sending, sendingFromSheet, querying]) expect(nextState(busy, event)).toBe(busy);
});

test.each<[string, PaymentEvent]>([
  ['a rejected password', wrong],
  ['the end of an attempt', fail],
  ['the closing of the sheet', { type: 'sheet-closed' }],
])('%s is ignored after the attempt has ended', (_name, event) => {
  for (const idle of [readyToPay, after(ask), after(start, fail)]) expect(nextState(idle, event)).toBe(idle);
});

test('the sheet closes when the messaging app asks for the payment, and the attempt goes on', () => {
  expect(nextState(sendingFromSheet, { type: 'sheet-closed' }).step).toEqual({ name: 'sending', sheet: false });
});

test('a wrong password opens the sheet again with its error, which the next attempt removes', () => {
  const rejected = nextState(sendingFromSheet, wrong);
  expect(rejected).toEqual({ step: { name: 'asking-password', error: '支付密码错误' } });
  expect(nextState(rejected, start)).toEqual(sendingFromSheet);
});

test('a locked password opens the sheet without an error, and the lock stays when it is opened again', () => {
  const lock = { until: 900_000, message: '支付密码已锁定' };
  const locked = nextState(sendingFromSheet, { ...wrong, message: lock.message, lockedUntil: lock.until });
  expect(locked).toEqual({ step: { name: 'asking-password' }, lock });
  expect(nextState(nextState(locked, { type: 'password-dismissed' }), ask)).toEqual(locked);
});

test('an attempt that ends without a remark leaves none', () => {
  expect(after(start, fail, start, { type: 'ended' }).remark).toBeUndefined();
});

test('the remark on the last attempt stays during a query, whose end replaces it', () => {
  expect(querying).toEqual({ step: { name: 'querying' }, remark });
  expect(nextState(querying, { type: 'ended' })).toEqual(readyToPay);
});

test('a query closes the password sheet', () => {
  expect(after(ask, query).step).toEqual({ name: 'querying' });
});

test('a doubt about an earlier visit is shown unless there is a newer attempt', () => {
  const doubt: PaymentEvent = { type: 'doubted', text: '上次充值的支付结果暂时未知' };
  expect(after(doubt).remark).toEqual({ kind: 'unknown', text: '上次充值的支付结果暂时未知' });
  for (const newer of [sending, after(start, fail)]) expect(nextState(newer, doubt)).toBe(newer);
});

test.each([
  ['of a rejected attempt', remarkOnAttempt, new ApiError('rejected', 'card_frozen', '所选卡不可用'), 'failed'],
  ['of an attempt without an answer', remarkOnAttempt, new ApiError('timeout', 'timeout', '请求超时'), 'unknown'],
  ['of a query for an expired order', remarkOnQuery, new ApiError('rejected', 'order_expired', '订单过期'), 'failed'],
  ['of a query for a missing order', remarkOnQuery, new ApiError('rejected', 'order_not_found', '无此订单'), 'failed'],
  ['of a rejected query', remarkOnQuery, new ApiError('rejected', 'internal', '系统繁忙'), 'unknown'],
])('the remark %s', (_name, remarkOn, failure, kind) => {
  expect(remarkOn(failure)).toEqual({ kind, text: failure.message });
});

test('an outcome leaves a remark if the order is unpaid or its payment was not seen', () => {
  expect(remarkAfter({ kind: 'unpaid', remark })).toEqual(remark);
  expect(remarkAfter({ kind: 'unseen', text: '支付结果确认中，请稍候' })).toEqual({
    kind: 'unknown',
    text: '支付结果确认中，请稍候',
  });
  expect(remarkAfter({ kind: 'paid', text: '支付成功！' })).toBeUndefined();
  expect(remarkAfter({ kind: 'over', text: '已取消' })).toBeUndefined();
});

test('a failure without a message, such as an ended session, leaves no remark', () => {
  expect(remarkOnAttempt(new ApiError('login', 'login', ''))).toBeUndefined();
});
