import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { pull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { afternoon, issuedOrder, legacyOrder, newOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Answer, main, newmovie, post } from '../../../test/wire';
import { QrCode } from '../../ui/qr-code';
import type { OrderPayments, Refund, TicketOrder } from '../../wire/generated/shop';
import { session } from '../../wire/session';
import TicketOrderScreen from './ticket-order-screen';

/** Matches a code whose digits are shown in groups. */
const reads = (code: string) => (_: string, element: Element | null) =>
  element?.classList.contains('mq-inline') === true && element.textContent === code;

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  // The history holds one earlier page of the app, so that going back stays in it.
  window.history.replaceState({ idx: 1 }, '', '/');
});

const renderOrder = () => renderScreen(<TicketOrderScreen />, '/orderpage?id=202605010001');
const single = { title: '', content: '' };
const money: OrderPayments = { refunds: [], legs: [], checking: false };
const answerOrder = (order: TicketOrder, more: Partial<OrderPayments> = {}) =>
  server.use(post('/Dyorder/show', () => main.ok({ order_show: order, single, order: { ...money, ...more } })));

/** The modules of a QR code as they are drawn. */
const drawn = (code: Element) => [...code.querySelectorAll('path')].map((path) => path.getAttribute('d'));

function qrOf(value: string) {
  const { container, unmount } = render(<QrCode value={value} label="" />);
  const modules = drawn(container);
  unmount();
  return modules;
}

test('an issued ticket shows film, time, seats, codes and their QR code', async () => {
  renderOrder();
  const ticket = await screen.findByRole('region', { name: '电子票' });
  expect(within(ticket).getByText('长风渡')).toBeVisible();
  expect(within(ticket).getByText('5月1日 周五 19:30')).toBeVisible();
  expect(within(ticket).getByText('5排6座')).toBeVisible();
  expect(within(ticket).getByText(reads('88126031'))).toBeVisible();
  expect(within(ticket).getByText('5527')).toBeVisible();
  const cinema = within(ticket).getByText('黄浦区南京东路800号').closest('div');
  expect(cinema).toHaveTextContent('星光影城南京路店');
  expect(within(cinema as HTMLElement).getByRole('link', { name: '导航' })).toBeVisible();
  const code = within(ticket).getByRole('img', { name: '取票二维码 88126031' });
  expect(code).toBeVisible();
  expect(drawn(code)).toEqual(qrOf('88126031|5527'));
  // The message repeats the codes, so it is folded.
  expect(within(ticket).getByText(/凭序列号88126031/)).not.toBeVisible();
  await userEvent.click(within(ticket).getByText('取票短信'));
  expect(within(ticket).getByText(/凭序列号88126031/)).toBeVisible();
  expect(screen.getByText(/不支持退票、不支持改签/)).toBeVisible();
});

test('the codes of the new provider are shown the same way', async () => {
  answerOrder({ ...newOrder, orderstatus: 4, ticketCode: '771,772' });
  renderOrder();
  expect(await screen.findByText('771')).toBeVisible();
  expect(screen.getByText('772')).toBeVisible();
  expect(drawn(screen.getByRole('img', { name: '取票二维码 771' }))).toEqual(qrOf('771|772'));
});

test('an issued order of the new provider opens its ticket page; a legacy order has none', async () => {
  const user = userEvent.setup();
  const real = window.location;
  const assign = vi.fn();
  vi.stubGlobal('location', { ...real, href: real.href, origin: real.origin, pathname: real.pathname, assign });
  answerOrder({ ...newOrder, orderstatus: 4, ticketCode: '771' });
  const asked = vi.fn((_: Record<string, string>) =>
    newmovie.ok({ url: 'https://ticket.example/t?k=1', expires_in: 300 }),
  );
  server.use(post('/newmovie/seat/ticketToken', asked));
  const page = renderOrder();
  await user.click(await screen.findByRole('button', { name: '查看影院电子票' }));
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://ticket.example/t?k=1'));
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', oid: newOrder.id });
  page.unmount();
  answerOrder(issuedOrder);
  renderOrder();
  await screen.findByText(reads('88126031'));
  expect(screen.queryByRole('button', { name: '查看影院电子票' })).toBeNull();
});

test('a QR code that cannot be drawn says 二维码加载失败 and leaves the digits', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  // The text is longer than the capacity of a QR code.
  answerOrder({ ...issuedOrder, ticketcodeList: [{ name: '序列号', code: '8'.repeat(8000) }] });
  renderOrder();
  expect(await screen.findByText('二维码加载失败')).toBeVisible();
  expect(screen.getByText('8'.repeat(8000))).toBeVisible();
});

test('a code is copied with 已复制到剪贴板', async () => {
  const user = userEvent.setup();
  renderOrder();
  await user.click(await screen.findByRole('button', { name: '复制序列号 88126031' }));
  expect(await screen.findByText('已复制到剪贴板')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('88126031');
});

test('an issued ticket can be seen without a network', async () => {
  const { unmount } = renderOrder();
  await screen.findByRole('region', { name: '电子票' });
  unmount();
  server.use(post('/Dyorder/show', () => Response.error()));
  renderOrder();
  const ticket = await screen.findByRole('region', { name: '电子票' });
  expect(within(ticket).getByRole('img', { name: '取票二维码 88126031' })).toBeVisible();
  expect(screen.getByText(/网络不可用/)).toBeVisible();
});

test('a ticket is named by the words of its source', async () => {
  const { unmount } = renderOrder();
  expect(await screen.findByText('请凭序列号、验证码到影院取票')).toBeVisible();
  unmount();
  answerOrder({ ...newOrder, orderstatus: 4, ticketCode: '771,772' });
  renderOrder();
  expect(await screen.findByText('请凭取票号、验证码到影院取票')).toBeVisible();
});

test('a ticket helps on the way: map, calendar, time until the start, and codes in full screen', async () => {
  const user = userEvent.setup();
  renderOrder();
  const ticket = await screen.findByRole('region', { name: '电子票' });
  const map = within(ticket).getByRole('link', { name: '导航' });
  expect(map).toHaveAttribute('href', expect.stringContaining('https://uri.amap.com/search?keyword='));
  const calendar = within(ticket).getByRole('link', { name: '加入日历' });
  expect(decodeURIComponent(calendar.getAttribute('href') ?? '')).toContain('BEGIN:VEVENT');
  expect(calendar).toHaveAttribute('download', expect.stringMatching(/\.ics$/));
  expect(within(ticket).getByText(/距开场|即将开场|已开场/)).toBeVisible();
  await user.click(within(ticket).getByRole('button', { name: '全屏出示' }));
  const shown = await screen.findByRole('dialog', { name: '出示电子票' });
  expect(within(shown).getByText(reads('88126031'))).toBeVisible();
  expect(within(shown).getByText(/星光影城.* · \d 张$/)).toBeVisible();
  await user.click(within(shown).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a kept ticket is shown at once without a network', async () => {
  const { unmount } = renderOrder();
  await screen.findByRole('region', { name: '电子票' });
  unmount();
  onlineManager.setOnline(false);
  try {
    renderOrder();
    expect(await screen.findByRole('region', { name: '电子票' })).toBeVisible();
  } finally {
    onlineManager.setOnline(true);
  }
});

test.each<[string, () => Answer<'/Dyorder/show'>]>([
  ['a rejection', () => main.reject('invalid_input', '参数有误')],
  ['a login that is over', () => main.login()],
  ['a page that is broken', () => new Response('', { status: 500 })],
])('a kept ticket is not what %s shows', async (_, failure) => {
  const { unmount } = renderOrder();
  await screen.findByRole('region', { name: '电子票' });
  unmount();
  server.use(post('/Dyorder/show', failure));
  renderOrder();
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(screen.queryByRole('region', { name: '电子票' })).toBeNull();
});

test.each([
  ['logs out', () => session.logOut()],
  ['hands the phone to another buyer', () => session.logIn('tok-2')],
])('a kept ticket is gone when its buyer %s', async (_, leave) => {
  const { unmount } = renderOrder();
  await screen.findByRole('region', { name: '电子票' });
  unmount();
  leave();
  expect(JSON.stringify({ ...localStorage })).not.toContain('88126031');
  server.use(post('/Dyorder/show', () => Response.error()));
  localStorage.setItem('token', 'tok-2');
  renderOrder();
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(screen.queryByRole('region', { name: '电子票' })).toBeNull();
});

test('a ticket kept for one session is not shown under another token', async () => {
  const { unmount } = renderOrder();
  await screen.findByRole('region', { name: '电子票' });
  unmount();
  localStorage.setItem('token', 'tok-2');
  server.use(post('/Dyorder/show', () => Response.error()));
  renderOrder();
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(screen.queryByRole('region', { name: '电子票' })).toBeNull();
});

test('an order that is being issued is polled until it is issued', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let looks = 0;
  server.use(
    post('/Dyorder/show', () => {
      looks += 1;
      return main.ok({
        order_show: looks < 3 ? { ...legacyOrder, orderstatus: 'P', state_text: '已支付，待出票' } : issuedOrder,
        single,
        order: money,
      });
    }),
  );
  renderOrder();
  expect(await screen.findByText('已支付，待出票')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2100));
  await act(() => vi.advanceTimersByTimeAsync(2100));
  expect(await screen.findByText(reads('88126031'))).toBeVisible();
});

test('the payment is shown per card and messaging app', async () => {
  answerOrder(issuedOrder, {
    legs: [
      { kind: 'card', title: '电影卡（尾号5678）', amount: '50.00', captured: true },
      { kind: 'wx', title: '微信支付', amount: '35.80', captured: true },
    ],
  });
  renderOrder();
  const region = await screen.findByRole('region', { name: '付款明细' });
  const rows = within(region)
    .getAllByRole('listitem')
    .map((row) => row.textContent);
  expect(rows).toEqual(['电影卡（尾号5678）50.00\u2009点', '微信支付¥35.80']);
});

test('a payment that was only tried is not called one', async () => {
  answerOrder(
    { ...legacyOrder, orderstatus: 'C' },
    { legs: [{ kind: 'wx', title: '微信支付', amount: '85.80', captured: false }] },
  );
  renderOrder();
  const region = await screen.findByRole('region', { name: '合计' });
  expect(region).toHaveTextContent(/^合计¥85\.80$/);
  expect(screen.queryByText('微信支付')).toBeNull();
});

test('a pull at the top loads the order again', async () => {
  answerOrder({ ...legacyOrder, orderstatus: 'C', state_text: '已取消' });
  renderOrder();
  const state = await screen.findByRole('heading', { name: '已取消' });
  answerOrder({ ...legacyOrder, orderstatus: 'R', state_text: '已退款' });
  pull(state, 200);
  expect(await screen.findByRole('heading', { name: '已退款' })).toBeVisible();
});

test('outside of the messaging app a ticket is shared as an invitation without its codes', async () => {
  const shared = vi.fn(async (_: ShareData) => {});
  Object.assign(navigator, { share: shared });
  renderOrder();
  await userEvent.click(await screen.findByRole('button', { name: '分享' }));
  const [invitation] = shared.mock.calls[0] ?? [];
  expect(invitation).toMatchObject({
    title: '约你看《长风渡》',
    text: expect.stringMatching(/^约你看《长风渡》：.+/),
    url: expect.stringContaining('/multiplexDetail?'),
  });
  expect(JSON.stringify(invitation)).not.toMatch(/88126031|202605010001|排/);
  cleanup();
  answerOrder({ ...legacyOrder, orderstatus: 'C', state_text: '已取消' });
  renderOrder();
  await screen.findByRole('heading', { name: '已取消' });
  expect(screen.queryByRole('button', { name: '分享' })).toBeNull();
  Reflect.deleteProperty(navigator, 'share');
});

test('the payment and the order have the same kind of heading', async () => {
  renderOrder();
  const headings = await screen.findAllByRole('heading', { level: 3, name: /^(付款明细|订单信息)$/ });
  expect(headings).toHaveLength(2);
  for (const heading of headings) expect(heading.closest('section')).toHaveClass('mq-card');
});

test.each([
  ['processing', '退款中', '款项将按原支付方式退回'],
  ['done', '已退回', '款项已按原支付方式退回'],
  ['manual', '人工处理中', '款项将按原支付方式退回'],
] as const)('a refund that is %s is shown as %s', async (state, words, advice) => {
  answerOrder(
    { ...legacyOrder, orderstatus: 'F', state_text: '出票失败，等待退款' },
    {
      refunds: [{ kind: 'wx', title: '微信支付', amount: '35.80', state, done_time: state === 'done' ? afternoon : 0 }],
    },
  );
  renderOrder();
  expect(await screen.findByText('退款进度')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.getByText(advice)).toBeVisible();
  expect(screen.getByRole('heading', { name: '出票失败，等待退款' })).toBeVisible();
});

test.each([
  ['出票失败(退款)', 'mq-warn'],
  ['已退款', 'mq-second'],
])('an order of the new provider at status 7 says %s, as the shop does', async (state_text, look) => {
  answerOrder({ ...newOrder, orderstatus: 7, state_text });
  renderOrder();
  expect(await screen.findByRole('heading', { name: state_text })).toHaveClass(look);
});

test('a refund in progress is polled until it succeeds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const order: TicketOrder = { ...legacyOrder, orderstatus: 'F' };
  const refund = { kind: 'wx', title: '微信支付', amount: '35.80' } as const;
  const points: Refund = { kind: 'card', title: '超级卡', amount: '50.00', state: 'done', done_time: afternoon };
  answerOrder(order, { refunds: [{ ...refund, state: 'processing', done_time: 0 }, points] });
  renderOrder();
  expect(await screen.findByText('退款中')).toBeVisible();
  expect(screen.getByText('微信原路退回')).toBeVisible();
  expect(screen.getByText('退回原卡 2026-05-01 17:00')).toBeVisible();
  answerOrder(
    { ...order, orderstatus: 'R', state_text: '已退款' },
    { refunds: [{ ...refund, state: 'done', done_time: afternoon + 60 }, points] },
  );
  await act(() => vi.advanceTimersByTimeAsync(2100));
  expect(await screen.findByText('微信原路退回 2026-05-01 17:01')).toBeVisible();
  expect(screen.getAllByText('已退回')).toHaveLength(2);
  const state = screen.getByRole('heading', { name: '已退款' });
  expect(state, 'a finished refund is not shown as a warning').toHaveClass('mq-second');
  expect(screen.getByText('款项已按原支付方式退回')).toBeVisible();
  expect(screen.queryByText(/不支持退票/)).toBeNull();
});

test.each([
  'F',
  'R',
] as const)('of an order at %s the refund comes before the way to buy again', async (orderstatus) => {
  answerOrder(
    { ...legacyOrder, orderstatus, cinemaid: 'g100' },
    { refunds: [{ kind: 'wx', title: '微信支付', amount: '85.80', state: 'processing', done_time: 0 }] },
  );
  renderOrder();
  const again = await screen.findByRole('button', { name: /^(重新选座|再次购买)$/ });
  expect(again).toHaveClass('van-button--primary');
  expect(again.closest('.mq-bottom')).not.toBeNull();
  expect(screen.getByText('退款进度').compareDocumentPosition(again)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a cancelled order leads to buying again first', async () => {
  answerOrder({ ...legacyOrder, orderstatus: 'C', cinemaid: 'g100' });
  renderOrder();
  const again = await screen.findByRole('button', { name: /^(重新选座|再次购买)$/ });
  expect(again).toHaveClass('van-button--primary');
  expect(again.closest('.mq-bottom')).not.toBeNull();
});

test('below a ticket its film can be bought again', async () => {
  answerOrder({ ...issuedOrder, cinemaid: 'g100' });
  renderOrder();
  const again = await screen.findByRole('button', { name: '再次购买' });
  expect(again).toHaveClass('van-button--default');
  const facts = screen.getByRole('region', { name: '订单信息' });
  expect(facts.compareDocumentPosition(again)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test.each(['P', 'T'] as const)('an order at %s shows the step that its ticket has come to', async (orderstatus) => {
  answerOrder({ ...legacyOrder, orderstatus });
  renderOrder();
  const steps = within(await screen.findByRole('list', { name: '出票进度' }));
  expect(steps.getAllByRole('listitem').map((step) => step.textContent)).toEqual(['付款', '出票中', '取票']);
  expect(steps.getByText('出票中').closest('li')).toHaveAttribute('aria-current', 'step');
});

test('no step is shown of a ticket that is issued, or that the staff looks after', async () => {
  renderOrder();
  await screen.findByRole('region', { name: '电子票' });
  expect(screen.queryByRole('list', { name: '出票进度' })).toBeNull();
  cleanup();
  answerOrder({ ...legacyOrder, orderstatus: 'T', state_text: '通知处理中', stuck: true });
  renderOrder();
  await screen.findByRole('heading', { name: '通知处理中' });
  expect(screen.queryByRole('list', { name: '出票进度' })).toBeNull();
});

test('an unpaid order can be paid or cancelled here', async () => {
  answerOrder(legacyOrder);
  const cancelled = vi.fn((_: Record<string, string>) => main.ok({}));
  server.use(post('/movie/route/Movie/unorder', cancelled));
  const user = userEvent.setup();
  const { where } = renderOrder();
  const cancel = await screen.findByRole('button', { name: '取消订单' });
  await user.click(cancel);
  const asked = await screen.findByRole('alertdialog');
  expect(cancel, 'nothing happens before the answer').not.toHaveAttribute('aria-busy');
  expect(within(asked).getByRole('button', { name: '再想想' })).toBeVisible();
  const confirmed = within(asked).getByRole('button', { name: '取消订单' });
  expect(confirmed).toHaveClass('van-button--danger');
  await user.click(confirmed);
  await waitFor(() => expect(cancelled.mock.calls[0]?.[0]).toMatchObject({ oid: '202605010001' }));
  await user.click(screen.getByRole('button', { name: '去支付' }));
  await waitFor(() => expect(where()).toBe('/paymentpage?order=202605010001'));
});

test("an unpaid order counts down by the shop's clock and loads its new state at the end", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.setSystemTime((afternoon + 86_400) * 1000); // the phone's own clock is a day ahead
  answerOrder(legacyOrder);
  renderOrder();
  expect(await screen.findByRole('timer')).toHaveTextContent(/^1[34]:/);
  answerOrder({ ...legacyOrder, orderstatus: 'E', state_text: '已失效' });
  await act(() => vi.advanceTimersByTimeAsync(841_000));
  expect(await screen.findByText('订单过期')).toBeVisible();
  expect(await screen.findByRole('heading', { name: '已失效' })).toBeVisible();
  expect(screen.queryByRole('button', { name: '去支付' })).toBeNull();
});

test('an order that is not found says 订单已失效 and goes back', async () => {
  stopClock();
  server.use(post('/Dyorder/show', () => main.reject('order_not_found', '订单已失效')));
  const { where } = renderOrder();
  expect(await eventually(() => screen.getByText('订单已失效'))).toBeVisible();
  await pass(999);
  expect(where()).toBe('/orderpage?id=202605010001');
  await pass(1);
  expect(where()).toBe('/before');
});

test.each<{ order: string; sample: TicketOrder }>([
  { order: 'ended', sample: { ...legacyOrder, orderstatus: 'E' } },
  { order: 'waiting for the end of its trade', sample: legacyOrder },
])('a payment whose result is not known is explained: the order is $order', async ({ sample }) => {
  answerOrder(sample, { checking: true });
  renderOrder();
  expect(await screen.findByRole('heading', { name: '支付结果核实中' })).toBeVisible();
  expect(screen.getByText(/如已扣款，核实后会自动完成订单或原路退回，无需您操作，请勿重复付款/)).toBeVisible();
  expect(await screen.findByRole('link', { name: /联系客服/ })).toHaveAttribute('href', 'https://service.test/');
  expect(screen.queryByRole('button', { name: '去支付' })).toBeNull();
});

test('customer service is one tap from every order, and the text of the shop is shown', async () => {
  renderOrder();
  expect(await screen.findByRole('link', { name: /联系客服/ })).toHaveAttribute('href', 'https://service.test/');
  await userEvent.click(await screen.findByText('购票须知'));
  expect(await screen.findByText('不支持退票')).toBeVisible();
});
