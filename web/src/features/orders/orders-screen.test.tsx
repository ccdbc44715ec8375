import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { afternoon, cardOrder, issuedOrder, legacyOrder, newOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import type { Orders } from '../../wire/generated/shop';
import OrdersScreen from './orders-screen';

const counts = { all: 9, pending: 1, to_use: 5, completed: 3 };

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

const renderOrders = (query = '') => renderScreen(<OrdersScreen />, `/orderInfo${query}`);

/** Answers the list of orders. Returns the fields of each request, in order. */
function answerOrders(list: Orders['list']) {
  const requests: Record<string, string>[] = [];
  server.use(
    post('/Dyorder/order', (fields) => {
      requests.push(fields);
      return main.ok({ list, total: list.length, counts });
    }),
  );
  return requests;
}

test('orders has the tabs all, pending payment, to use and completed', async () => {
  answerOrders([legacyOrder]);
  renderOrders();
  await screen.findByText('长风渡');
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['全部', '待付款 1', '待使用 5', '已完成']);
});

test.each([
  ['0', '全部'],
  ['1', '待付款 1'],
  ['2', '待使用'],
  ['3', '已完成'],
  ['9', '全部'],
  ['', '全部'],
])('tabIndex %s opens %s', async (tabIndex, name) => {
  const requests = answerOrders([legacyOrder]);
  renderOrders(`?tabIndex=${tabIndex}`);
  await screen.findByText('长风渡');
  expect(screen.getByRole('tab', { selected: true })).toHaveTextContent(name);
  expect(requests[0]).toMatchObject({
    token: 'tok',
    type: ['1', '2', '3'].includes(tabIndex) ? tabIndex : '0',
    pageno: '1',
    pagesize: '1000000',
  });
});

test('the chosen tab is part of the address', async () => {
  const requests = answerOrders([legacyOrder]);
  const user = userEvent.setup();
  const { where } = renderOrders();
  await user.click(await screen.findByRole('tab', { name: '待使用 5' }));
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=2'));
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ type: '2' }));
});

test('only orders that wait for their payment can be paid, of either source', async () => {
  const legacyStates = (['N', 'C', 'E', 'P', 'T', 'S', 'F', 'R'] as const).map((orderstatus) => ({
    ...legacyOrder,
    id: `l${orderstatus}`,
    orderstatus,
  }));
  const newStates = ([0, 1, 2, 4, 7, 8, 11] as const).map((orderstatus) => ({
    ...newOrder,
    id: `n${orderstatus}`,
    orderstatus,
  }));
  answerOrders([...legacyStates, ...newStates]);
  renderOrders();
  expect(await screen.findAllByRole('article')).toHaveLength(15);
  const payable = screen.getAllByRole('article').filter((row) => within(row).queryByRole('button', { name: '去支付' }));
  expect(payable.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual([
    '/orderpage?id=lN',
    '/orderpage?id=n0',
  ]);
});

test('paying again leads to the payment page of the order', async () => {
  answerOrders([newOrder]);
  const user = userEvent.setup();
  const { where } = renderOrders();
  await user.click(await screen.findByRole('button', { name: '去支付' }));
  await waitFor(() => expect(where()).toBe('/paymentpage?order=202605010002&new=1'));
});

test('an unpaid order is cancelled after a confirmation, and the list is loaded again', async () => {
  const requests = answerOrders([legacyOrder]);
  const cancelled = vi.fn((_: Record<string, string>) => main.ok({}));
  server.use(post('/movie/route/Movie/unorder', cancelled));
  const user = userEvent.setup();
  renderOrders();
  await user.click(await screen.findByRole('button', { name: '取消订单' }));
  const dialog = await screen.findByRole('alertdialog', { name: '取消订单' });
  expect(cancelled).not.toHaveBeenCalled();
  await user.click(within(dialog).getByRole('button', { name: '取消订单' }));
  expect(await screen.findByText('订单已取消')).toBeVisible();
  expect(cancelled.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', oid: '202605010001' });
  await waitFor(() => expect(requests.length).toBeGreaterThan(1));
});

test('an order that is being issued is polled until it is issued', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let looks = 0;
  server.use(
    post('/Dyorder/order', () => {
      looks += 1;
      return main.ok({
        list: [looks < 2 ? { ...legacyOrder, orderstatus: 'T', state_text: '通知处理中' } : issuedOrder],
        total: 1,
        counts,
      });
    }),
  );
  renderOrders();
  expect(await screen.findByText('通知处理中')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(await screen.findByText('已出票')).toBeVisible();
});

test('an order leads to its page', async () => {
  answerOrders([issuedOrder]);
  renderOrders();
  expect(await screen.findByRole('link', { name: /长风渡/ })).toHaveAttribute('href', '/orderpage?id=202605010001');
});

test('the list contains orders of goods and of tickets', async () => {
  answerOrders([legacyOrder, cardOrder]);
  renderOrders();
  expect(await screen.findByRole('link', { name: /青鸟音乐豪华会员/ })).toHaveAttribute(
    'href',
    '/cardorderinfo?id=202605010009',
  );
  expect(screen.getByText('长风渡')).toBeVisible();
  expect(screen.getByRole('button', { name: '查看卡密' })).toBeVisible();
});

test('an unpaid order of goods is paid on its page and cancelled in the list', async () => {
  answerOrders([{ ...cardOrder, state: 0, state_text: '待付款' }]);
  const cancelled = vi.fn(() => main.ok({}));
  server.use(post('/movie/route/Movie/unorder', cancelled));
  const { where } = renderOrders();
  await userEvent.click(await screen.findByRole('button', { name: '取消订单' }));
  answerOrders([{ ...cardOrder, state: 2, state_text: '已取消' }]);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消订单' }));
  expect(await screen.findByText('订单已取消')).toBeVisible();
  expect(cancelled).toHaveBeenCalledWith(expect.objectContaining({ oid: '202605010009' }), expect.anything());
  expect(await screen.findByText('已取消')).toBeVisible();
  expect(screen.queryByRole('button', { name: '去支付' })).toBeNull();
  expect(where()).toContain('/orderInfo');
});

test('the button of an unpaid order of goods opens its payment', async () => {
  answerOrders([{ ...cardOrder, state: 0, state_text: '待付款' }]);
  const { where } = renderOrders();
  await userEvent.click(await screen.findByRole('button', { name: '去支付' }));
  await waitFor(() => expect(where()).toBe('/cardorderinfo?id=202605010009&pay=1'));
});

test('the time left to pay runs in the row, and its end loads the list again', async () => {
  const requests = answerOrders([{ ...legacyOrder, expiretime: afternoon + 2 }]);
  renderOrders();
  expect(await screen.findByRole('timer')).toHaveTextContent('00:0');
  await waitFor(() => expect(requests.length).toBeGreaterThan(1));
});

test('ended orders offer their seats or goods again', async () => {
  answerOrders([
    { ...legacyOrder, orderstatus: 'C', showid: 'o1', cinemaid: 'g100', movieid: 'm1' },
    { ...cardOrder, state: 8, state_text: '超时未付' },
  ]);
  const { where } = renderOrders();
  expect(await screen.findByRole('button', { name: '再次购买' })).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: '重新选座' }));
  await waitFor(() => expect(where()).toBe('/filmSeat?opiid=o1&movieid=m1&cinemaid=g100'));
});

test('a recharge in progress is polled until it is delivered', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answerOrders([{ ...cardOrder, type: 1, phone: '13800000000', state: 11, state_text: '充值处理中' }]);
  renderOrders();
  expect(await screen.findByText('充值账号 138****0000')).toBeVisible();
  answerOrders([{ ...cardOrder, type: 1, phone: '13800000000' }]);
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(await screen.findByText('已完成', { selector: '.order__state' })).toBeVisible();
});

test('the next page of orders is loaded near the end of the list', async () => {
  const pages: string[] = [];
  let near: (() => void) | undefined;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        near = () => seen([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  server.use(
    post('/Dyorder/order', ({ pageno = '' }) => {
      pages.push(pageno);
      return main.ok({
        list: [1, 2, 3].map((n) => ({ ...legacyOrder, id: `o${pageno}${n}`, moviename: `第${pageno}页的电影${n}` })),
        total: 6,
        counts,
      });
    }),
  );
  renderOrders();
  await screen.findByText('第1页的电影1');
  near?.();
  expect(await screen.findByText('第2页的电影3')).toBeVisible();
  expect(screen.getByText('没有更多了')).toBeVisible();
  expect(pages).toEqual(['1', '2']);
});

test('tickets and goods can be shown apart, which is part of the address', async () => {
  const requests = answerOrders([legacyOrder, cardOrder]);
  const { where } = renderOrders('?tabIndex=0');
  await userEvent.click(await screen.findByRole('tab', { name: '会员福利' }));
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0&kind=goods'));
  expect(screen.getAllByRole('article')).toHaveLength(1);
  expect(screen.queryByText('长风渡')).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: '电影票' }));
  expect(await screen.findByText('长风渡')).toBeVisible();
  expect(screen.getAllByRole('article')).toHaveLength(1);
  expect(requests, 'the list is there already').toHaveLength(1);
});

test('a kind without orders says so, and leads to all of them', async () => {
  answerOrders([legacyOrder]);
  renderOrders('?kind=goods');
  expect(await screen.findByText('没有会员福利订单')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '查看全部订单' }));
  expect(await screen.findByText('长风渡')).toBeVisible();
  expect(screen.queryByRole('tab', { name: '会员福利' }), 'there is one kind').toBeNull();
});

test('an ended order of goods is as quiet as one of tickets', async () => {
  answerOrders([{ ...cardOrder, state: 8, state_text: '超时未付' }, cardOrder]);
  renderOrders();
  const [over, delivered] = await screen.findAllByRole('article');
  expect(over).toHaveClass('order--over');
  expect(delivered).not.toHaveClass('order--over');
});

test('a tab without orders says so', async () => {
  answerOrders([]);
  renderOrders('?tabIndex=1');
  expect(await screen.findByText('没有待付款的订单')).toBeVisible();
});

test('orders that fail to load can be loaded again', async () => {
  let fails = true;
  server.use(
    post('/Dyorder/order', () =>
      fails ? new Response('', { status: 500 }) : main.ok({ list: [legacyOrder], total: 1, counts }),
    ),
  );
  const user = userEvent.setup();
  renderOrders();
  expect(await screen.findByText('请求失败')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('长风渡')).toBeVisible();
});

test('every card names the cinema or the shop, and what is or was paid', async () => {
  answerOrders([
    legacyOrder,
    issuedOrder,
    { ...legacyOrder, id: 'c', orderstatus: 'C' },
    { ...legacyOrder, id: 'r', orderstatus: 'R' },
    cardOrder,
  ]);
  renderOrders();
  const cards = await screen.findAllByRole('article');
  const texts = (selector: string) => cards.map((order) => order.querySelector(selector)?.textContent);
  expect(texts('.order__head > :first-child')).toEqual([...Array(4).fill('星光影城南京路店'), '会员福利']);
  expect(texts('.order__sum')).toEqual(['应付 ¥85.80', '实付 ¥85.80', '合计 ¥85.80', '实付 ¥85.80', '实付 ¥15.00']);
});

test('a ticket is offered until its show is over, and then its film again', async () => {
  answerOrders([
    { ...issuedOrder, playtime: afternoon - 3600 },
    { ...issuedOrder, id: 'past', playtime: afternoon - 4 * 3600, cinemaid: 'g100' },
  ]);
  renderOrders();
  const [running, past] = await screen.findAllByRole('article');
  expect(await within(running as HTMLElement).findByRole('button', { name: '查看电子票' })).toBeVisible();
  await waitFor(() => expect(within(past as HTMLElement).getByRole('button', { name: '再次购买' })).toBeVisible());
  expect(within(past as HTMLElement).queryByRole('button', { name: '查看电子票' })).toBeNull();
});
