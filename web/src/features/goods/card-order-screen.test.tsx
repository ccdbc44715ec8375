import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { payButton, typePassword, user } from '../../../test/paying';
import { pull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { afternoon, cardOrder, codes } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import type { GoodsCode, GoodsOrder, Refund } from '../../wire/generated/shop';
import CardOrderScreen from './card-order-screen';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: afternoon * 1000 });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  window.history.replaceState({ idx: 1 }, '', '/');
});

function answer(order: Partial<GoodsOrder> = {}, xunika: GoodsCode[] = []) {
  server.use(
    post('/Dyorder/kqshow', () =>
      main.ok({ kqorder: { ...cardOrder, ...order }, xunika, time: afternoon, has_password: true, openid: '' }),
    ),
  );
}

function open(order: Partial<GoodsOrder> = {}, xunika: GoodsCode[] = []) {
  answer(order, xunika);
  return renderScreen(<CardOrderScreen />, '/cardorderinfo?id=202605010009');
}

test('an order of codes shows them, the goods, who paid and until when it is good', async () => {
  const asked = vi.fn(({ id = '' }: Record<string, string>) =>
    main.ok({ kqorder: { ...cardOrder, id }, xunika: codes, time: afternoon, has_password: true, openid: '' }),
  );
  server.use(post('/Dyorder/kqshow', asked));
  renderScreen(<CardOrderScreen />, '/cardorderinfo?id=202605010009');
  expect(await screen.findByRole('heading', { name: '已完成' })).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', id: '202605010009' });
  const bought = screen.getByRole('link', { name: /青鸟音乐豪华会员/ });
  expect(bought).toHaveTextContent(/^青鸟音乐豪华会员月卡$/);
  expect(bought).toHaveAttribute('href', '/couponsDetail?id=11');
  expect(bought.querySelector('img')).toHaveAttribute('src', cardOrder.kaquan.img);
  expect(screen.getByText('2026-05-01 16:59')).toBeVisible();
  const shown = within(screen.getByRole('region', { name: '卡密信息' }));
  expect(shown.getByText('DEMO0001')).toBeVisible();
  expect(shown.getByText('00007919')).toBeVisible();
  expect(screen.getByText('超级卡（尾号1234）')).toBeVisible();
  expect(shown.getByText('有效期至 2026-06-01')).toBeVisible();
  expect(screen.getByRole('button', { name: '再次购买' })).toBeVisible();
  expect(screen.queryByText('充值账号')).toBeNull();
});

test('a password is text, a link of http or https is a link, any other address is text', async () => {
  open({}, [
    { num: 'A1', pass: 'https://redeem.test/A1' },
    { num: 'A2', pass: ' HTTP://redeem.test/A2?k=1 ' },
    { num: 'A3', pass: 'javascript:alert(1)' },
    { num: 'A4', pass: '' },
    { num: 'A5', pass: 'httpX5' },
  ]);
  const links = await screen.findAllByRole('link', { name: '去兑换' });
  expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])).toEqual([
    ['https://redeem.test/A1', 'noopener noreferrer'],
    ['http://redeem.test/A2?k=1', 'noopener noreferrer'],
  ]);
  expect(screen.getByRole('button', { name: '复制链接 https://redeem.test/A1' })).toBeVisible();
  expect(screen.getByText('javascript:alert(1)').tagName).toBe('SPAN');
  expect(screen.getByText('httpX5').tagName).toBe('SPAN');
  expect(screen.getAllByText('密码')).toHaveLength(2);
});

test('codes are copied with 已复制到剪贴板, without the clipboard too', async () => {
  const writeText = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(new Error('no'));
  open({}, codes);
  const number = await screen.findByRole('button', { name: '复制卡号 DEMO0001' });
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
  document.execCommand = vi.fn(() => true);
  await act(async () => number.click());
  expect(writeText).toHaveBeenCalledWith('DEMO0001');
  expect(await screen.findByText('已复制到剪贴板')).toBeVisible();
  await act(async () => screen.getByRole('button', { name: '复制密码 00007919' }).click());
  expect(document.execCommand).toHaveBeenCalledWith('copy');
  vi.unstubAllGlobals();
});

test('an order for an account names it, and is looked at until it is recharged', async () => {
  open({ type: 1, phone: '13800138000', state: 11, state_text: '充值处理中' });
  expect(await screen.findByRole('heading', { name: '充值处理中' })).toBeVisible();
  expect(screen.getByText('充值账号 138****8000')).toBeVisible();
  answer({ type: 1, phone: '13800138000' });
  await act(() => vi.advanceTimersByTimeAsync(2100));
  expect(await screen.findByText('已充值到您填写的账号')).toBeVisible();
});

test("fuli is a JSON list: who paid what, the messaging app under the id 'wx'", async () => {
  open({
    fuli: '[{"id":"k1","price":"5.00","title":"超级卡（尾号1234）"},{"id":"wx","price":"10.00","title":"微信支付"}]',
  });
  const lines = within(await screen.findByRole('region', { name: '付款明细' })).getAllByRole('listitem');
  expect(lines.map((line) => line.textContent?.replace('\u2009', ' '))).toEqual([
    '超级卡（尾号1234）5.00 点',
    '微信支付¥10.00',
  ]);
});

test('a payment that was only tried is not called one', async () => {
  open({ state: 2, state_text: '已取消' });
  expect(await screen.findByRole('region', { name: '合计' })).toHaveTextContent(/^合计¥15\.00$/);
});

test('a pull at the top loads the order again', async () => {
  open({ state: 2, state_text: '已取消' });
  const state = await screen.findByRole('heading', { name: '已取消' });
  answer({ state: 7, state_text: '已退款' });
  pull(state, 200);
  expect(await screen.findByRole('heading', { name: '已退款' })).toBeVisible();
});

test('a recharge that failed shows how far each refund is', async () => {
  const refunds: Refund[] = [
    { kind: 'card', title: '超级卡（尾号1234）', amount: '5.00', state: 'done', done_time: afternoon },
    { kind: 'wx', title: '微信支付', amount: '10.00', state: 'processing', done_time: 0 },
  ];
  open({ state: 7, state_text: '发货失败，退款中', refunds });
  expect(await screen.findByText('款项将按原支付方式退回')).toBeVisible();
  expect(screen.getByText('退款中')).toBeVisible();
  answer({ state: 7, state_text: '已退款', refunds: refunds.map((refund) => ({ ...refund, state: 'done' as const })) });
  await act(() => vi.advanceTimersByTimeAsync(2100));
  expect(await screen.findByText('款项已按原支付方式退回')).toBeVisible();
  expect(screen.getAllByText('已退回')).toHaveLength(2);
  const state = screen.getByRole('heading', { name: '已退款' });
  expect(state, 'a finished refund is not shown as a warning').toHaveClass('mq-second');
});

test("an unpaid order counts down by the shop's clock, and at zero is looked at again", async () => {
  open({ state: 0, state_text: '待付款', expiretime: afternoon + 5 });
  expect(await screen.findByRole('timer')).toHaveTextContent('00:05');
  answer({ state: 8, state_text: '超时未付' });
  await act(() => vi.advanceTimersByTimeAsync(5200));
  expect(await screen.findByText('订单过期')).toBeVisible();
  expect(await screen.findByRole('heading', { name: '超时未付' })).toBeVisible();
  expect(screen.queryByRole('button', { name: '去支付' })).toBeNull();
});

test('an unpaid order is paid again by its number', async () => {
  const paid = vi.fn((_: Record<string, string>) =>
    main.ok({ order_no: '202605010009', state: 4 as const, orderstatus: 4 as const }),
  );
  const quoted = vi.fn((_: Record<string, string>) =>
    main.ok({ dkprice: '15.00', wxprice: '0.00', ka_ids: 'k1', total: '15.00' }),
  );
  const { where } = open({ state: 0, state_text: '待付款' });
  server.use(
    post('/Film/card', () => main.ok({ card_list: [], has_password: true, openid: 'o-1' })),
    post('/Film/pay_date', quoted),
    post('/Film/flkpay', paid),
  );
  await user().click(await screen.findByRole('button', { name: '去支付' }));
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(quoted.mock.calls[0]?.[0]).toMatchObject({ oid: '202605010009' });
  expect(quoted.mock.calls[0]?.[0]).not.toHaveProperty('ggid');
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ oid: '202605010009', ka_ids: 'k1', pass: '246810' });
});

test('an order that expired while it was paid says 订单过期', async () => {
  open({ state: 0, state_text: '待付款' });
  server.use(
    post('/Film/card', () => main.ok({ card_list: [], has_password: true, openid: 'o-1' })),
    post('/Film/pay_date', () => main.ok({ dkprice: '15.00', wxprice: '0.00', ka_ids: 'k1', total: '15.00' })),
    post('/Film/flkpay', () => main.reject('order_expired', '订单已过期')),
  );
  await user().click(await screen.findByRole('button', { name: '去支付' }));
  await user().click(await payButton());
  answer({ state: 8, state_text: '超时未付' });
  await typePassword('246810');
  expect(await screen.findByText('订单过期')).toBeVisible();
  expect(await screen.findByRole('heading', { name: '超时未付' })).toBeVisible();
});

test('an unpaid order is cancelled after a question', async () => {
  const cancelled = vi.fn((_: Record<string, string>) => main.ok({}));
  open({ state: 0, state_text: '待付款' });
  server.use(post('/movie/route/Movie/unorder', cancelled));
  const cancel = await screen.findByRole('button', { name: '取消订单' });
  await user().click(cancel);
  expect(cancel, 'nothing happens before the answer').not.toHaveAttribute('aria-busy');
  answer({ state: 2, state_text: '已取消' });
  await user().click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消订单' }));
  expect(await screen.findByText('订单已取消')).toBeVisible();
  expect(cancelled.mock.calls[0]?.[0]).toMatchObject({ oid: '202605010009' });
  expect(await screen.findByRole('heading', { name: '已取消' })).toBeVisible();
});

test('an order that is not there says 订单已失效 and goes back', async () => {
  server.use(post('/Dyorder/kqshow', () => main.reject('order_not_found', '订单已失效')));
  const { where } = renderScreen(<CardOrderScreen />, '/cardorderinfo?id=no');
  expect(await screen.findByText('订单已失效')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/before'));
});

test('an address with pay opens the payment of an unpaid order at once', async () => {
  answer({ state: 0, state_text: '待付款' });
  const { where } = renderScreen(<CardOrderScreen />, '/cardorderinfo?id=202605010009&pay=1');
  const sheet = await screen.findByRole('dialog', { name: '订单支付' });
  await user().click(within(sheet).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(where()).toBe('/cardorderinfo?id=202605010009'));
});

test('an ended order leads back to its goods', async () => {
  const { where } = open({ state: 8, state_text: '超时未付' });
  await user().click(await screen.findByRole('button', { name: '再次购买' }));
  await waitFor(() => expect(where()).toMatch(/^\/couponsDetail\?id=/));
});

test('an expired order whose payment is being checked says so', async () => {
  open({ state: 8, state_text: '超时未付', checking: true });
  expect(await screen.findByRole('heading', { name: '支付结果核实中' })).toBeVisible();
  expect(screen.getByText(/如已扣款，核实后会自动完成订单或原路退回/)).toBeVisible();
});

test('customer service is one tap from an order of goods', async () => {
  open({ state: 7, state_text: '发货失败，退款中' });
  expect(await screen.findByRole('link', { name: /联系客服/ })).toHaveAttribute('href', 'https://service.test/');
});

test('customer service is one tap from an order that cannot be loaded', async () => {
  server.use(post('/Dyorder/kqshow', () => main.reject('internal', '系统繁忙，请稍后再试')));
  renderScreen(<CardOrderScreen />, '/cardorderinfo?id=202605010009');
  expect(await screen.findByRole('alert')).toHaveTextContent('系统繁忙，请稍后再试');
  expect(await screen.findByRole('link', { name: /联系客服/ })).toHaveAttribute('href', 'https://service.test/');
});
