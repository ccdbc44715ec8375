import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { advance, eventually, pass, stopClock } from '../../../test/clock';
import { payButton, pickCards, typePassword, user } from '../../../test/paying';
import { address, afterPayment, beforePayment, movie, open, serves } from '../../../test/payment-page';
import { renderScreen } from '../../../test/render';
import { afternoon, card, filmCard, legacyOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { main, post } from '../../../test/wire';
import { Overlays } from '../../ui/overlays';
import PaymentScreen from './payment-screen';

beforeEach(beforePayment);
afterEach(afterPayment);

test('the page shows the order, who pays what and how long it waits', async () => {
  open();
  expect(await screen.findByText('长风渡')).toBeVisible();
  expect(screen.getByText('5排6座')).toBeVisible();
  expect(screen.getByText('5排7座')).toBeVisible();
  expect(screen.getByRole('timer')).toHaveTextContent(/^14:00$/);
  await advance(60_000);
  expect(screen.getByRole('timer')).toHaveTextContent(/^13:00$/);
  expect(await screen.findByText('请选择支付方式')).toBeVisible();
  expect(screen.getByText(/不支持退票、不支持改签/)).toBeVisible();
});

// A phone whose clock is more than ten minutes wrong cannot open the page: its signed calls are rejected.
test("the countdown runs from expiretime by the shop's clock on a phone that is nine minutes wrong", async () => {
  for (const minutes of [9, -9]) {
    vi.setSystemTime((afternoon + minutes * 60) * 1000);
    const { unmount } = open();
    expect(await screen.findByRole('timer')).toHaveTextContent('14:00');
    unmount();
  }
});

test('at zero the countdown says 订单过期 and goes home', async () => {
  stopClock();
  vi.setSystemTime(afternoon * 1000);
  const { where } = open({ order: { ...legacyOrder, expiretime: afternoon + 5 } });
  await eventually(() => expect(screen.getByRole('timer')).toHaveTextContent('00:05'));
  await pass(4999);
  expect(screen.getByRole('timer')).toHaveTextContent('00:01');
  expect(screen.queryByText('订单过期')).toBeNull();
  await pass(1);
  expect(screen.getByText('订单过期')).toBeVisible();
  await pass(999);
  expect(where()).toBe(address);
  await pass(1);
  expect(where()).toBe('/index');
});

test('an order that is not found says 订单已失效 and goes back', async () => {
  server.use(post('/Film/jsordershow', () => main.reject('order_not_found', '订单已失效')));
  stopClock();
  const { where } = renderScreen(<PaymentScreen />, '/paymentpage?order=nope');
  expect(await eventually(() => screen.getByText('订单已失效'))).toBeVisible();
  await pass(999);
  expect(where()).toBe('/paymentpage?order=nope');
  await pass(1);
  expect(where()).toBe('/before');
});

test.each([
  ['E', '订单过期', '/index'],
  ['C', '订单已失效', '/before'],
] as const)('an order already %s says %s', async (orderstatus, words, to) => {
  const { where } = open({ order: { ...legacyOrder, orderstatus } });
  expect(await screen.findByText(words)).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe(to));
});

test('an order that is paid already is shown instead', async () => {
  const { where } = open({ order: { ...legacyOrder, orderstatus: 'P' } });
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
});

test('an order whose payment is being checked is shown instead, also after it expired', async () => {
  const { where } = open({ order: { ...legacyOrder, orderstatus: 'E' }, checking: true });
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
  expect(screen.queryByText('订单过期')).toBeNull();
});

test('an order that has expired since shows 订单过期 and goes home', async () => {
  server.use(post(movie('flkpay'), () => main.reject('order_expired', '订单已过期')));
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  expect(await screen.findByText('订单过期')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/index'));
});

test('an order whose time to pay is over, but which the shop has not expired yet, says 订单过期 and goes home', async () => {
  const quoted = vi.fn(() => main.reject('order_expired', '订单已过期'));
  server.use(post(movie('pay_date'), quoted));
  const { where } = open({ order: { ...legacyOrder, expiretime: afternoon } });
  expect(await screen.findByText('订单过期')).toBeVisible();
  expect(quoted).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/index'));
});

test.each([
  ['order_expired', '订单过期', '/index'],
  ['order_not_found', '订单已失效', '/before'],
] as const)('a quote rejected with %s shows %s and continues to another page', async (code, words, to) => {
  server.use(post(movie('pay_date'), () => main.reject(code, '订单已过期')));
  const { where } = open();
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByText('金额计算失败')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe(to));
});

test('the bill leaves out the rest while the sum could not be computed', async () => {
  server.use(post(movie('pay_date'), () => main.reject('internal', '系统繁忙，请稍后再试')));
  open();
  const bill = await screen.findByRole('region', { name: '金额明细' });
  expect(bill).toHaveTextContent('还需支付');
  expect(await screen.findByText('金额计算失败')).toBeVisible();
  expect(bill).not.toHaveTextContent('还需支付');
});

test('a quote rejected because the order was paid in another tab shows the order', async () => {
  const { where } = open();
  await payButton();
  server.use(
    post(movie('pay_date'), () => main.reject('already_paid', '订单已支付，请勿重复支付')),
    post('/Film/jsordershow', () =>
      main.ok({
        order: { ...legacyOrder, orderstatus: 'P' },
        time: afternoon,
        has_password: true,
        openid: 'o-1',
        checking: false,
      }),
    ),
  );
  await pickCards(/超级卡/);
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
});

test('a quote rejected because the payment has succeeded does not replace the list of orders that loads', async () => {
  let load = () => {};
  const loaded = new Promise<null>((resolve) => {
    load = () => resolve(null);
  });
  serves();
  const router = createMemoryRouter(
    [
      { path: '/paymentpage', element: <PaymentScreen /> },
      { path: '/orderInfo', loader: () => loaded, element: '我的订单' },
      { path: '/orderpage', element: '订单详情' },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
      <Overlays />
    </QueryClientProvider>,
  );
  await pickCards(/超级卡/);
  const rejected = vi.fn(() => main.reject('order_state', '订单状态已变化'));
  server.use(
    post(movie('flkpay'), ({ oid = '' }) => main.ok({ order_no: oid, orderstatus: 'P' as const })),
    // The points of the cards have changed, so that others are chosen.
    post(movie('card'), () => main.ok({ card_list: [{ ...card, price: '5.00' }, filmCard] })),
    post(movie('pay_date'), rejected),
  );
  serves({ order: { ...legacyOrder, orderstatus: 'P' } });
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(rejected).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(router.state.navigation.location?.pathname).toBe('/orderInfo');
  load();
  expect(await screen.findByText('我的订单')).toBeVisible();
});

test('the cards are shown with their type, points and end, those about to expire marked', async () => {
  open();
  await user().click(await screen.findByRole('button', { name: /福利卡.*2 张可用/ }));
  const sheet = await screen.findByRole('dialog', { name: '选择福利卡' });
  expect(within(sheet).getByRole('checkbox', { name: `电影卡 尾号5678，余额${filmCard.price}点` })).toBeInTheDocument();
  expect(within(sheet).getByRole('checkbox', { name: `超级卡 尾号1234，余额${card.price}点` })).toBeInTheDocument();
  expect(within(sheet).getByText('即将过期')).toBeVisible();
});

test('a customer who goes back within a second of 订单过期 is not sent to the home page', async () => {
  const { where } = open({ order: { ...legacyOrder, expiretime: afternoon + 5 } });
  await screen.findByRole('timer');
  await act(() => vi.advanceTimersByTimeAsync(5200));
  expect(await screen.findByText('订单过期')).toBeVisible();
  await user().click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(where()).toBe('/before'));
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/before');
});

test('a tab of an order that was paid in another one is replaced by the order on return', async () => {
  const { where } = open();
  expect(await screen.findByRole('timer')).toBeVisible();
  server.use(
    post('/Film/jsordershow', () =>
      main.ok({
        order: { ...legacyOrder, orderstatus: 'P' },
        time: afternoon,
        has_password: true,
        openid: 'o-1',
        checking: false,
      }),
    ),
  );
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
});

test('a page from the browser cache is replaced by the order if that was paid in the meantime', async () => {
  const { where } = open();
  expect(await screen.findByRole('timer')).toBeVisible();
  server.use(
    post('/Film/jsordershow', () =>
      main.ok({
        order: { ...legacyOrder, orderstatus: 'P' },
        time: afternoon,
        has_password: true,
        openid: 'o-1',
        checking: false,
      }),
    ),
  );
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
});
