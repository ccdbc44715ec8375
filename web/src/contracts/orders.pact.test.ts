import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, loginAsked, refused, some } from '../../test/pact';
import { amount, counts, legacyOrder, main, newOrder, ticketcodes } from '../../test/pact-shapes';
import { showOrder } from '../features/orders/show-order';
import { cancelOrder } from '../shop/cancel-order';
import { listOrders } from '../shop/order-list';
import { ticketCodes } from '../shop/ticket-order';
import { session } from '../wire/session';

const { boolean, eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const id = some('26112019504638967617');

beforeEach(() => session.logIn('tok'));

const ask = (type: number) => ({ token, type: String(type), pageno: '1', pagesize: '1000000' });

test.each([
  ['an issued legacy order', 0, legacyOrder('S', ticketcodes)],
  ['an issued newmovie order', 2, newOrder(4, regex('.+', '55325177'))],
  ['an unpaid legacy order', 1, legacyOrder('N')],
] as const)('%s stands in tab %i', async (state, tab, order) => {
  const page = await exchange(
    {
      state,
      what: `the list of orders with ${state}`,
      path: '/Dyorder/order',
      form: ask(tab),
      answer: main.says({ list: eachLike(order), total: integer(1), counts }),
    },
    () => listOrders(tab, 1),
  );
  expect(page.list).toHaveLength(1);
});

test('a buyer without orders', async () => {
  const page = await exchange(
    {
      state: 'a logged-in buyer',
      what: 'the list of a buyer without orders',
      path: '/Dyorder/order',
      form: ask(3),
      answer: main.says({ list: [], total: 0, counts: { all: 0, pending: 0, to_use: 0, completed: 0 } }),
    },
    () => listOrders(3, 1),
  );
  expect(page.list).toEqual([]);
});

test('the list of orders without a session asks for a login', async () => {
  await loginAsked(main, {
    state: 'no session',
    what: 'the list of orders without a session',
    path: '/Dyorder/order',
    form: ask(0),
    call: () => listOrders(0, 1),
  });
});

const leg = { kind: 'card', title: regex('.+', '超级卡'), amount: amount('141.60'), captured: boolean(true) };
const note = { title: like('购票须知'), content: like('<p>不支持退票</p>') };

test('an issued legacy order has its codes and who paid', async () => {
  const shown = await exchange(
    {
      state: 'an issued legacy order',
      what: 'an issued legacy order',
      path: '/Dyorder/show',
      form: { token, id },
      answer: main.says({
        order_show: legacyOrder('S', ticketcodes),
        single: note,
        order: { refunds: [], legs: eachLike(leg), checking: false },
      }),
    },
    () => showOrder('26112019504638967617'),
  );
  expect(ticketCodes(shown.order_show)).toEqual([{ name: '取票号', code: '55325177' }]);
  expect(shown.order.legs[0]?.kind).toBe('card');
});

test('an issued newmovie order has its codes', async () => {
  const shown = await exchange(
    {
      state: 'an issued newmovie order',
      what: 'an issued newmovie order',
      path: '/Dyorder/show',
      form: { token, id },
      answer: main.says({
        order_show: newOrder(4, regex('.+', '55325177')),
        single: note,
        order: { refunds: [], legs: eachLike(leg), checking: false },
      }),
    },
    () => showOrder('26112019504638967617'),
  );
  expect(ticketCodes(shown.order_show)).toHaveLength(1);
});

test('a refunded order says what went back to whom', async () => {
  const refund = {
    kind: 'card',
    title: regex('.+', '超级卡'),
    amount: amount('141.60'),
    state: 'done',
    done_time: integer(1795000000),
  };
  const shown = await exchange(
    {
      state: 'a refunded legacy order',
      what: 'a refunded legacy order',
      path: '/Dyorder/show',
      form: { token, id },
      answer: main.says({
        order_show: legacyOrder('R'),
        single: note,
        order: { refunds: eachLike(refund), legs: eachLike(leg), checking: false },
      }),
    },
    () => showOrder('26112019504638967617'),
  );
  expect(shown.order.refunds[0]).toMatchObject({ state: 'done', done_time: 1795000000 });
});

test("another buyer's order is not shown", async () => {
  await refused(main, 'order_not_found', {
    state: "another buyer's order",
    what: "another buyer's order",
    path: '/Dyorder/show',
    form: { token, id },
    call: () => showOrder('26112019504638967617'),
  });
});

test('an unpaid order is cancelled', async () => {
  await exchange(
    {
      state: 'an unpaid newmovie order',
      what: 'the cancelling of an unpaid order',
      path: '/movie/route/Movie/unorder',
      form: { token, oid: id },
      answer: main.says(like({})),
    },
    () => cancelOrder('26112019504638967617'),
  );
});

test('an issued order is not cancelled', async () => {
  await refused(main, 'already_paid', {
    state: 'an issued legacy order',
    what: 'the cancelling of an issued order',
    path: '/movie/route/Movie/unorder',
    form: { token, oid: id },
    call: () => cancelOrder('26112019504638967617'),
  });
});
