import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdingApp, inApp, payButton, pickCards, typePassword, user } from '../../../test/paying';
import {
  afterPayment,
  beforePayment,
  billSays,
  ends,
  movie,
  open,
  openWithCards,
  prepares,
} from '../../../test/payment-page';
import { afternoon, bridgeParams, legacyOrder, newOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { main, post } from '../../../test/wire';

beforeEach(beforePayment);
afterEach(afterPayment);

test("the messaging app's payment outside of it says 请使用微信打开进行支付", async () => {
  openWithCards();
  await pickCards();
  expect(await screen.findByRole('checkbox', { name: /微信支付/ })).toBeChecked();
  expect(await screen.findByText('需在微信中打开')).toBeVisible();
  await user().click(await screen.findByRole('button', { name: '去微信支付' }));
  const sheet = await screen.findByRole('dialog', { name: '请使用微信打开进行支付' });
  expect(within(sheet).getByRole('button', { name: '复制链接' })).toBeVisible();
  expect(await within(sheet).findByRole('img', { name: /二维码/ })).toBeVisible();
});

test('the sheet that leads into the messaging app shows the time left, and asks what became of the payment', async () => {
  ends('N');
  const { where } = openWithCards();
  await pickCards();
  await user().click(await payButton());
  const sheet = within(await screen.findByRole('dialog', { name: '请使用微信打开进行支付' }));
  expect(sheet.getByRole('timer')).toBeVisible();
  await user().click(sheet.getByRole('button', { name: '我已支付，查看订单' }));
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(await screen.findByText('还没有收到付款')).toBeVisible();
  expect(screen.queryByRole('dialog', { name: '请使用微信打开进行支付' })).toBeNull();
  expect(where()).toContain('/paymentpage');

  ends('P');
  await user().click(await payButton());
  await user().click(await screen.findByRole('button', { name: '我已支付，查看订单' }));
  expect(await screen.findByText('支付成功')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test("in the messaging app its payment is chosen already, and the bridge gets the shop's parameters", async () => {
  const invoke = inApp('ok');
  ends('P');
  const prepared = prepares();
  const { where } = open();
  expect(await screen.findByRole('checkbox', { name: /微信支付/ })).toBeChecked();
  await user().click(await payButton());
  expect(await screen.findByText('支付成功')).toBeVisible();
  expect(invoke.mock.calls.map(([name, params]) => [name, params])).toEqual([['getBrandWCPayRequest', bridgeParams]]);
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({
    token: 'tok',
    oid: '202605010001',
    ka_ids: '',
    openid: 'o-1',
    pass: '',
    wxprice: '85.80',
  });
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('both: cards give their part after the password, the messaging app pays the rest', async () => {
  inApp('ok');
  ends('P');
  const prepared = prepares();
  const { where } = open();
  await pickCards(/电影卡/);
  await billSays('福利卡抵扣−¥50.00还需支付¥35.80');
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({
    token: 'tok',
    oid: '202605010001',
    ka_ids: 'k2',
    openid: 'o-1',
    pass: '246810',
    wxprice: '35.80',
  });
});

test('a bridge that fails, and an order that stays unpaid, say 支付失败', async () => {
  inApp('fail');
  ends('N');
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('支付失败')).toBeVisible();
  expect(where()).toContain('/paymentpage');
});

test('leaving the pay sheet says 支付失败 of an order that still waits, and that its seats are kept', async () => {
  inApp('cancel');
  ends('N');
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('支付失败')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('您取消了付款，座位仍为您保留');
  expect(where()).toContain('/paymentpage');
});

test("a bridge that says cancel although the money moved: the shop's state decides", async () => {
  inApp('cancel');
  ends('P');
  const { where } = open();
  await user().click(await payButton());
  expect(await screen.findByText('支付成功')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a bridge that says ok before the shop has seen the money claims nothing', async () => {
  inApp('ok');
  ends('N');
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(8900));
  expect(await screen.findByText('支付结果确认中，请稍候')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test.each([
  ['C', '已取消'],
  ['E', '订单已过期'],
  ['P', '支付成功'],
  ['T', '通知处理中'],
  ['S', '出票成功'],
  ['F', '出票失败，等待退款'],
  ['R', '退款完成'],
  [1, '支付成功'],
  [4, '出票成功'],
  [7, '出票失败(退款)'],
  [8, '超时未付'],
  [11, '正在出票'],
] as const)('a payment that leaves the order at %s says %s', async (orderstatus, words) => {
  inApp('ok');
  ends(orderstatus);
  open();
  await user().click(await payButton());
  expect(await screen.findByText(words)).toBeVisible();
});

test.each([
  ['N', legacyOrder],
  [0, newOrder],
] as const)('a payment that leaves the order at %s says 支付失败', async (orderstatus, order) => {
  inApp('cancel');
  ends(orderstatus);
  open({ order });
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('支付失败')).toBeVisible();
});

test('a shop that is out of reach after the bridge said ok does not make a failed payment of it', async () => {
  inApp('ok');
  server.use(post('/Film/pay_success', () => Response.error()));
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await screen.findByText('支付结果确认中，请稍候')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a network that is back a moment after the payment sheet shows how the payment ended', async () => {
  inApp('ok');
  let looks = 0;
  server.use(
    post('/Film/pay_success', ({ order_no = '' }) => {
      looks += 1;
      return looks < 3
        ? Response.error()
        : main.ok({ order_no, orderstatus: 'P', type: 1, order: { ...legacyOrder, orderstatus: 'P' } });
    }),
  );
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(await screen.findByText('支付成功')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('an order that runs out while its payment sheet is up is left once the payment came to nothing', async () => {
  const { invoke, answer } = holdingApp();
  ends('N');
  const { where } = open({ order: { ...legacyOrder, expiretime: afternoon + 5 } });
  await user().click(await payButton());
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(6000));
  expect(where()).toContain('/paymentpage');
  answer('cancel');
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(await screen.findByText('订单过期')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await waitFor(() => expect(where()).toBe('/index'));
});

test('a customer who goes back during the query of a payment sees its result and is not navigated', async () => {
  const { invoke, answer } = holdingApp();
  ends('P');
  const { where } = open();
  await user().click(await payButton());
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  await user().click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(where()).toBe('/before'));
  answer('ok');
  expect(await screen.findByText('支付成功')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/before');
});

test('a card whose points the order holds after a payment that was left stays chosen', async () => {
  inApp('cancel');
  ends('N');
  const prepared = prepares();
  open();
  await pickCards(/电影卡/);
  await billSays('福利卡抵扣−¥50.00还需支付¥35.80');
  // The first try reserves the points of the card for this order, so the card is no longer in the list.
  server.use(post(movie('card'), () => main.ok({ card_list: [] })));
  for (const tries of [1, 2]) {
    await user().click(await payButton());
    await typePassword('246810');
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(prepared).toHaveBeenCalledTimes(tries);
  }
  expect(prepared.mock.calls[1]?.[0]).toMatchObject({ ka_ids: 'k2', wxprice: '35.80' });
});
