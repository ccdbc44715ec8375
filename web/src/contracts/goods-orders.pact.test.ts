import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, loginAsked, refused, some } from '../../test/pact';
import { amount, cardOrder, counts, main } from '../../test/pact-shapes';
import { showCardOrder } from '../features/goods/show-card-order';
import { cancelOrder } from '../shop/cancel-order';
import { listOrders } from '../shop/order-list';
import { session } from '../wire/session';

const { boolean, eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const order = '26112019504638967617';

beforeEach(() => session.logIn('tok'));

const shown = (kqorder: object, xunika: unknown) =>
  main.says({ kqorder, xunika, time: integer(1795175925), has_password: boolean(true), openid: like('o-1') });

test('a goods order shows its codes, and who paid', async () => {
  const found = await exchange(
    {
      state: 'a goods order with codes',
      what: 'a goods order with codes',
      path: '/Dyorder/kqshow',
      form: { token, id: some(order) },
      answer: shown(cardOrder(4, 2), eachLike({ num: regex('.+', 'DEMO1'), pass: regex('.+', '00007919') })),
    },
    () => showCardOrder(order),
  );
  expect(found.xunika).toEqual([{ num: 'DEMO1', pass: '00007919' }]);
  expect(found.kqorder.fuli[0]?.id).toBe('1');
});

test('a recharge that failed says what went back to whom', async () => {
  const refund = { kind: 'card', title: regex('.+', '超级卡'), amount: amount('29.85'), state: 'done' };
  const found = await exchange(
    {
      state: 'a refunded goods order',
      what: 'a refunded goods order',
      path: '/Dyorder/kqshow',
      form: { token, id: some(order) },
      answer: shown(cardOrder(7, 1, eachLike(refund)), like([])),
    },
    () => showCardOrder(order),
  );
  expect(found.kqorder.refunds[0]?.state).toBe('done');
});

test("another buyer's goods order is not shown", async () => {
  await refused(main, 'order_not_found', {
    state: "another buyer's order",
    what: "another buyer's goods order",
    path: '/Dyorder/kqshow',
    form: { token, id: some(order) },
    call: () => showCardOrder(order),
  });
});

test('a goods order is not shown without a session', async () => {
  await loginAsked(main, {
    state: 'no session',
    what: 'a goods order without a session',
    path: '/Dyorder/kqshow',
    form: { token, id: '1' },
    call: () => showCardOrder('1'),
  });
});

test('a goods order stands among the orders', async () => {
  const found = await exchange(
    {
      state: 'a goods order with codes',
      what: 'the list of orders with a goods order',
      path: '/Dyorder/order',
      form: { token, type: '2', pageno: '1', pagesize: '1000000' },
      answer: main.says({ list: eachLike(cardOrder(4, 2)), total: integer(1), counts }),
    },
    () => listOrders(2, 1),
  );
  expect(found.list[0]?.ord_bs).toBe(2);
});

test('an unpaid goods order is cancelled', async () => {
  await exchange(
    {
      state: 'an unpaid goods order',
      what: 'the cancelling of an unpaid goods order',
      path: '/movie/route/Movie/unorder',
      form: { token, oid: some(order) },
      answer: main.says(like({})),
    },
    () => cancelOrder(order),
  );
});
