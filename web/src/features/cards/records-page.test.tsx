import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { afternoon } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card, post } from '../../../test/wire';
import ConsumptionRecordsScreen from './consumption-records-screen';
import RechargeRecordsScreen from './recharge-records-screen';
import { byMonth } from './records-page';

/** Reports the end of the list as visible, as scrolling does. */
let nearEnd: () => void;
/** Whether the end is visible at first, because the rows do not fill the screen. */
let endVisible: boolean;

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  endVisible = false;
  const watching = new Set<() => void>();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #report: () => void;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.#report = () => watching.has(this.#report) && callback([{ isIntersecting: true }]);
      }
      observe() {
        watching.add(this.#report);
        if (endVisible) setTimeout(() => act(this.#report));
      }
      disconnect() {
        watching.delete(this.#report);
      }
    },
  );
  nearEnd = () => {
    for (const report of [...watching]) report();
  };
});

const consumption = () => renderScreen(<ConsumptionRecordsScreen />, '/consumptionRecords?cardId=k1');
const recharges = () => renderScreen(<RechargeRecordsScreen />, '/rechargeRecords?cardId=k1');

const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);

const record = (i: number, change: object = {}) => ({
  flag: 1,
  add_time: afternoon - i * 60,
  price: `${i}.00`,
  remark: '',
  ...change,
});

test('records of spending have a minus: 消费 and 平台扣减', async () => {
  server.use(
    post('/api/api.php/Card/consume', () =>
      card.ok({ list: [record(1), record(2, { flag: 4, remark: '重复发放' })], total: 2 }),
    ),
  );
  consumption();
  await screen.findByText('消费');
  expect(rows()).toEqual(['消费2026-05-01 16:59−1.00 点', '平台扣减说明：重复发放2026-05-01 16:58−2.00 点']);
  expect(screen.getByText('合计 −3.00 点'), 'the sum of the month').toBeVisible();
});

test('a record is named after what the points paid, and leads to the order', async () => {
  const order = (kind: string, title: string) => ({ order_no: `no-${kind}`, kind, title });
  server.use(
    post('/api/api.php/Card/consume', () =>
      card.ok({ list: [record(1, order('ticket', '云上邮差')), record(2, order('goods', '月卡'))], total: 2 }),
    ),
  );
  consumption();
  const [ticket, goods] = await screen.findAllByRole('link');
  expect(ticket).toHaveTextContent(/^云上邮差消费 · /);
  expect(ticket).toHaveAttribute('href', '/orderpage?id=no-ticket');
  expect(goods).toHaveTextContent(/^月卡消费 · /);
  expect(goods).toHaveAttribute('href', '/cardorderinfo?id=no-goods');
});

test('records of recharging have a plus: 微信充值 and 平台充值', async () => {
  server.use(
    post('/api/api.php/Card/recharge', () =>
      card.ok({ list: [record(1, { flag: 2 }), record(2, { flag: 3 })], total: 2 }),
    ),
  );
  recharges();
  await screen.findByText('微信充值');
  expect(rows()).toEqual(['微信充值2026-05-01 16:59+1.00 点', '平台充值2026-05-01 16:58+2.00 点']);
});

test('10000 records are asked for, of the card in the address', async () => {
  const asked = vi.fn((_: Record<string, string>) => card.ok({ list: [record(1)], total: 1 }));
  server.use(post('/api/api.php/Card/consume', asked));
  consumption();
  await screen.findByText('−1.00');
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', khid: 'k1', pageno: '1', pagesize: '10000' });
});

test('ten records are shown, and ten more whenever the end comes near', async () => {
  server.use(
    post('/api/api.php/Card/consume', () =>
      card.ok({ list: Array.from({ length: 25 }, (_, i) => record(i + 1)), total: 25 }),
    ),
  );
  consumption();
  await screen.findByText('−1.00');
  expect(screen.getAllByRole('listitem')).toHaveLength(10);
  act(nearEnd);
  expect(screen.getAllByRole('listitem')).toHaveLength(20);
  act(nearEnd);
  expect(screen.getAllByRole('listitem')).toHaveLength(25);
  expect(screen.getByText('没有更多了')).toBeVisible();
});

test('more records are shown as long as they do not fill the screen', async () => {
  endVisible = true;
  const list = Array.from({ length: 35 }, (_, i) => record(i));
  server.use(post('/api/api.php/Card/consume', () => card.ok({ list, total: 35 })));
  consumption();
  await waitFor(() => expect(rows()).toHaveLength(35));
});

test('what the shop did not send at once is asked for as the end comes near', async () => {
  const pages: string[] = [];
  server.use(
    post('/api/api.php/Card/consume', ({ pageno = '' }) => {
      pages.push(pageno);
      const from = (Number(pageno) - 1) * 10;
      return card.ok({ list: Array.from({ length: from === 0 ? 10 : 3 }, (_, i) => record(from + i + 1)), total: 13 });
    }),
  );
  consumption();
  await screen.findByText('−1.00');
  expect(pages).toEqual(['1']);
  act(nearEnd);
  expect(await screen.findByText('−13.00')).toBeVisible();
  expect(pages).toEqual(['1', '2']);
});

test('no record of spending: 暂无消费记录...', async () => {
  server.use(post('/api/api.php/Card/consume', () => card.ok({ list: [], total: 0 })));
  consumption();
  expect(await screen.findByText('暂无消费记录...')).toBeVisible();
});

test('no record of recharging: 暂无充值记录...', async () => {
  server.use(post('/api/api.php/Card/recharge', () => card.ok({ list: [], total: 0 })));
  recharges();
  expect(await screen.findByText('暂无充值记录...')).toBeVisible();
});

test('records that fail to load can be asked for again', async () => {
  let fails = true;
  server.use(
    post('/api/api.php/Card/consume', () =>
      fails ? new Response('', { status: 502 }) : card.ok({ list: [record(1)], total: 1 }),
    ),
  );
  consumption();
  expect(await screen.findByText('请求失败')).toBeVisible();
  fails = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('−1.00')).toBeVisible();
});

test("another buyer's card has no records: the message of the shop", async () => {
  server.use(post('/api/api.php/Card/recharge', () => card.reject('card_not_found', '未找到这张卡')));
  const { where } = recharges();
  expect(await screen.findByText('未找到这张卡')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/rechargeRecords?cardId=k1'));
});

test('records are grouped by the months of China', () => {
  // 2026-05-01 00:30 in China is still April in UTC.
  const months = byMonth([record(0, { add_time: 1777566600 }), record(0, { add_time: 1777566600 - 3600 })] as never);
  expect(months.map(({ month }) => month)).toEqual(['2026年5月', '2026年4月']);
  expect(byMonth([record(0, { add_time: 8641795220482 })] as never).map(({ month }) => month)).toEqual(['更早']);
});
