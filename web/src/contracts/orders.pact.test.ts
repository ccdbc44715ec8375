import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered } from '../../test/pact';
import { cardOrder, legacyOrder, main, newOrder } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
import { showCardOrder } from '../features/goods/show-card-order';
import { showOrder } from '../features/orders/show-order';
import { cancelOrder } from '../shop/cancel-order';
import { listOrders, type OrderTab } from '../shop/order-list';
import { session } from '../wire/session';

const { eachLike, equal } = MatchersV3;
const token = 'tok';
const id = '26112019504638967617';

beforeEach(() => session.logIn(token));

const tickets = eachLike({ name: '取票号', code: '55325177' });
const legs = eachLike({ kind: equal('card'), title: '超级卡', amount: '141.60', captured: equal(true) });
const refunds = eachLike({
  kind: equal('card'),
  title: '超级卡',
  amount: '141.60',
  state: equal('done'),
  done_time: 1795000000,
});
const counts = { all: 1, pending: 0, to_use: 1, completed: 0 };

const listed = (state: string, tab: OrderTab, order: object) =>
  answered(main, {
    state,
    path: '/Dyorder/order',
    form: { token, type: String(tab), pageno: '1', pagesize: '1000000' },
    data: { list: eachLike(order), total: 1, counts },
    call: () => listOrders(tab, 1),
  });
test('the orders with a legacy order', listed('an issued legacy order', 0, legacyOrder('S', tickets)));
test('the orders with a newmovie order', listed('an issued newmovie order', 2, newOrder(4, '55325177')));
test('the orders with a goods order', listed('a goods order with codes', 2, cardOrder(4, 2)));

const shown = (state: string, order: object, back: unknown = []) =>
  answered(main, {
    state,
    path: '/Dyorder/show',
    form: { token, id },
    data: {
      order_show: order,
      single: { title: '购票须知', content: '<p>不支持退票</p>' },
      order: { refunds: back, legs, checking: equal(false) },
    },
    call: () => showOrder(id),
  });
test('an issued legacy order', shown('an issued legacy order', legacyOrder('S', tickets)));
test('an issued newmovie order', shown('an issued newmovie order', newOrder(4, '55325177')));
test('a refunded legacy order', shown('a refunded legacy order', legacyOrder('R'), refunds));

const goodsShown = (state: string, kqorder: object, xunika: unknown = []) =>
  answered(main, {
    state,
    path: '/Dyorder/kqshow',
    form: { token, id },
    data: { kqorder, xunika, time: 1795175925, has_password: true, openid: 'o-1' },
    call: () => showCardOrder(id),
  });
test('a goods order with codes', goodsShown('a goods order with codes', cardOrder(4, 2), eachLike(sample.codes[0])));
test('a refunded goods order', goodsShown('a refunded goods order', cardOrder(7, 1, refunds)));

test(
  'the cancelling of an unpaid order',
  answered(main, {
    state: 'an unpaid newmovie order',
    path: '/movie/route/Movie/unorder',
    form: { token, oid: id },
    data: {},
    call: () => cancelOrder(id),
  }),
);
