import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, rejected } from '../../test/pact';
import { cardOrder, main } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
import {
  type GoodsToPay,
  goodsPaymentResult,
  payGoodsWithApp,
  payGoodsWithCards,
  quoteGoods,
  walletFor,
} from '../features/goods/goods-purchase';
import type { GoodsOrder } from '../wire/generated/GoodsOrder';
import { session } from '../wire/session';

const { eachLike, equal } = MatchersV3;
const token = 'tok';
const order = '26112019504638967617';
const key = '0123456789abcdef0123456789abcdef';

beforeEach(() => session.logIn(token));

const rich = 'goods for a buyer with a card';
const poor = 'goods for a buyer with too little on a card';
const unpaid = 'an unpaid goods order';

const newGoods = (account = ''): GoodsToPay => ({ kind: 'new', ggid: '11', account, key });
const repaid: GoodsToPay = { kind: 'order', oid: order, ggid: '11' };
const pieces = { ggid: '11', number: '1', position: '1' };

test(
  'the cards that pay for goods',
  answered(main, {
    state: poor,
    path: '/Film/card',
    form: { token, ggid: '11' },
    data: { card_list: eachLike(sample.card), has_password: equal(true), openid: 'o-1' },
    call: () => walletFor('11'),
  }),
);

test(
  'a quote for goods',
  answered(main, {
    state: poor,
    path: '/Film/pay_date',
    form: { token, fulika: '31', ...pieces },
    data: { dkprice: equal('10.00'), wxprice: '5.00', ka_ids: '1', total: '15.00' },
    call: () => quoteGoods(newGoods(), ['31']),
  }),
);

const byCards = { token, ka_ids: '31', pass: '246810', ...pieces, phone: '', key };
const payment = { ka_ids: '31', pass: '246810' };

test(
  'a purchase of codes with cards',
  answered(main, {
    state: rich,
    path: '/Film/flkpay',
    form: byCards,
    data: { order_no: order, state: equal(4), orderstatus: equal(4) },
    call: () => payGoodsWithCards(newGoods(), payment),
  }),
);

test(
  'a purchase that recharges an account',
  answered(main, {
    state: 'goods that recharge an account, for a buyer with a card',
    path: '/Film/flkpay',
    form: { ...byCards, phone: '13800138000' },
    data: { order_no: order, state: 1, orderstatus: 1 },
    call: () => payGoodsWithCards(newGoods('13800138000'), payment),
  }),
);

test(
  'a purchase of goods that are sold out',
  rejected(main, 'sold_out', {
    state: 'goods that are sold out, for a buyer with a card',
    path: '/Film/flkpay',
    form: { ...byCards, phone: '13800138000' },
    call: () => payGoodsWithCards(newGoods('13800138000'), payment),
  }),
);

const prepared = { jsApiParameters: sample.bridgeParams, order_no: order };

test(
  "the messaging app's part of a payment of goods",
  answered(main, {
    state: poor,
    path: '/Kaquan/wxpay',
    form: { ...byCards, openid: 'o-1', wxprice: '5.00' },
    data: prepared,
    call: () => payGoodsWithApp(newGoods(), { ...payment, openid: 'o-1', wxprice: '5.00' }),
  }),
);

test(
  'a quote for an unpaid goods order',
  answered(main, {
    state: unpaid,
    path: '/Film/pay_date',
    form: { token, fulika: '31', oid: order },
    data: { dkprice: '15.00', wxprice: equal('0.00'), ka_ids: '1', total: '15.00' },
    call: () => quoteGoods(repaid, ['31']),
  }),
);

test(
  'the payment of an unpaid goods order with cards',
  answered(main, {
    state: unpaid,
    path: '/Film/flkpay',
    form: { token, ...payment, oid: order },
    data: { order_no: order, state: equal(4), orderstatus: equal(4) },
    call: () => payGoodsWithCards(repaid, payment),
  }),
);

test(
  'the payment of an unpaid goods order in the messaging app',
  answered(main, {
    state: 'an unpaid goods order for the messaging app',
    path: '/Film/wxpay',
    form: { token, ka_ids: '', openid: 'o-1', pass: '', wxprice: '15.00', oid: order },
    data: prepared,
    call: () => payGoodsWithApp(repaid, { ka_ids: '', openid: 'o-1', pass: '', wxprice: '15.00' }),
  }),
);

const result = (state: string, number: GoodsOrder['state']) =>
  answered(main, {
    state,
    path: '/Kaquan/pay_success',
    form: { token, order_no: order },
    data: {
      order_no: order,
      state: equal(number),
      orderstatus: equal(number),
      type: equal(2),
      order: cardOrder(number, 2),
    },
    call: () => goodsPaymentResult(order),
  });
test('the result of an unpaid goods order', result(unpaid, 0));
test('the result of a paid goods order', result('a goods order with codes', 4));
