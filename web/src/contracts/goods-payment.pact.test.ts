import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, loginAsked, refused, some } from '../../test/pact';
import { amount, bridge, cardOrder, main, welfareCard } from '../../test/pact-shapes';
import {
  type GoodsToPay,
  goodsPaymentResult,
  payGoodsWithApp,
  payGoodsWithCards,
  quoteGoods,
  walletFor,
} from '../features/goods/goods-purchase';
import { nothing, postMain } from '../wire/client';
import { session } from '../wire/session';

const { eachLike, integer, regex } = MatchersV3;
const token = some('tok');
const order = '26112019504638967617';
const key = '0123456789abcdef0123456789abcdef';

beforeEach(() => session.logIn('tok'));

const rich = 'goods for a buyer with a card';
const poor = 'goods for a buyer with too little on a card';
const forTheApp = 'goods for a buyer in the messaging app';
const recharge = 'goods that recharge an account, for a buyer with a card';
const soldOut = 'goods that are sold out, for a buyer with a card';
const unpaid = 'an unpaid goods order';

const newGoods = (account = '', ggid = '11'): GoodsToPay => ({ kind: 'new', ggid, account, key });
const repaid: GoodsToPay = { kind: 'order', oid: order, ggid: '11' };
const cards = some('31');
const ggid = some('11');
const pieces = { number: '1', position: '1' };

test('the cards that pay for goods, and what paying takes besides', async () => {
  const wallet = await exchange(
    {
      state: poor,
      what: 'the cards that pay for goods',
      path: '/Film/card',
      form: { token, ggid },
      answer: main.says({
        card_list: eachLike({ ...welfareCard, price: amount('10.00') }),
        has_password: true,
        openid: regex('.+', 'o-1'),
      }),
    },
    () => walletFor('11'),
  );
  expect(wallet).toMatchObject({ has_password: true, openid: 'o-1' });
});

test.each(['/Film/pay_date', '/Kaquan/pay_date'])('%s: who pays what of goods', async (path) => {
  const form = { token, fulika: cards, ggid, ...pieces };
  const split = { dkprice: '10.00', wxprice: amount('5.00'), ka_ids: regex('.+', '1'), total: amount('15.00') };
  await exchange({ state: poor, what: `a quote for goods of ${path}`, path, form, answer: main.says(split) }, () =>
    path.startsWith('/Film')
      ? quoteGoods(newGoods(), ['31'])
      : postMain(path, { token: 'tok', fulika: '31', ggid: '11', ...pieces }, nothing),
  );
});

test('a quote for goods that are sold out', async () => {
  await refused(main, 'sold_out', {
    state: soldOut,
    what: 'a quote for goods that are sold out',
    path: '/Film/pay_date',
    form: { token, fulika: cards, ggid, ...pieces },
    call: () => quoteGoods(newGoods(), ['31']),
  });
});

test('a quote for more than one piece is refused', async () => {
  await refused(main, 'quantity_invalid', {
    state: rich,
    what: 'a quote for two pieces',
    path: '/Film/pay_date',
    form: { token, fulika: cards, ggid, number: '2', position: '1' },
    call: () =>
      postMain('/Film/pay_date', { token: 'tok', fulika: '31', ggid: '11', number: '2', position: '1' }, nothing),
  });
});

const byCards = (phone = '') => ({
  token,
  ka_ids: cards,
  pass: '246810',
  ggid,
  ...pieces,
  phone,
  key: some(key, '[0-9a-f]{32}'),
});

test('codes are bought with cards, and are there at once', async () => {
  const paid = await exchange(
    {
      state: rich,
      what: 'a purchase of codes with cards',
      path: '/Film/flkpay',
      form: byCards(),
      answer: main.says({ order_no: regex('.+', order), state: 4 }),
    },
    () => payGoodsWithCards(newGoods(), { ka_ids: '31', pass: '246810' }),
  );
  expect(paid.state).toBe(4);
});

test('/Kaquan/flkpay sells as /Film/flkpay does', async () => {
  await exchange(
    {
      state: rich,
      what: 'a purchase of codes with cards at the goods backend',
      path: '/Kaquan/flkpay',
      form: byCards(),
      answer: main.says({ order_no: regex('.+', order), state: 4 }),
    },
    () =>
      postMain(
        '/Kaquan/flkpay',
        { token: 'tok', ka_ids: '31', pass: '246810', ggid: '11', ...pieces, phone: '', key },
        nothing,
      ),
  );
});

test('an account is recharged with cards', async () => {
  const paid = await exchange(
    {
      state: recharge,
      what: 'a purchase that recharges an account',
      path: '/Film/flkpay',
      form: byCards('13800138000'),
      answer: main.says({ order_no: regex('.+', order), state: integer(1) }),
    },
    () => payGoodsWithCards(newGoods('13800138000'), { ka_ids: '31', pass: '246810' }),
  );
  expect(paid.state).toBe(1);
});

test.each([
  [poor, 'a purchase with a card that has too little', 'points_insufficient', {}],
  [recharge, 'a purchase for an account of signs alone', 'recharge_account_required', { phone: '--' }],
  [recharge, 'a purchase for an account of another format', 'recharge_account_invalid', { phone: 'a-b.c' }],
  [soldOut, 'a purchase of goods that are sold out', 'sold_out', { phone: '13800138000' }],
  ['a buyer with a card', 'a purchase of goods that are not there', 'goods_not_found', { ggid: '999999' }],
] as const)('%s: %s is refused with %s', async (state, what, error, changed) => {
  const { phone = '', ggid: other } = { phone: undefined, ggid: undefined, ...changed };
  await exchange(
    { state, what, path: '/Film/flkpay', form: { ...byCards(), ...changed }, answer: main.denies(error) },
    () =>
      expect(payGoodsWithCards(newGoods(phone, other), { ka_ids: '31', pass: '246810' })).rejects.toMatchObject({
        kind: 'refused',
        error,
      }),
  );
});

test('a purchase with a wrong password is refused and tells the tries that are left', async () => {
  await exchange(
    {
      state: rich,
      what: 'a purchase with a wrong password',
      path: '/Film/flkpay',
      form: { ...byCards(), pass: '999999' },
      answer: main.denies('payment_password_wrong', { tries_left: integer(4) }),
    },
    () =>
      expect(payGoodsWithCards(newGoods(), { ka_ids: '31', pass: '999999' })).rejects.toMatchObject({
        error: 'payment_password_wrong',
        data: { tries_left: 4 },
      }),
  );
});

test('goods are not sold without a session', async () => {
  await loginAsked(main, {
    state: 'no session',
    what: 'a purchase without a session',
    path: '/Film/flkpay',
    form: { ...byCards(), ka_ids: '31', ggid: '11' },
    call: () => payGoodsWithCards(newGoods(), { ka_ids: '31', pass: '246810' }),
  });
});

const prepared = main.says({ jsApiParameters: bridge, order_no: regex('.+', order) });

test.each([
  [forTheApp, "the messaging app's payment of goods", '', '', '15.00'],
  [poor, "the messaging app's part of a payment of goods", '31', '246810', '5.00'],
] as const)('%s: %s is prepared', async (state, what, ka_ids, pass, wxprice) => {
  const payment = await exchange(
    {
      state,
      what,
      path: '/Kaquan/wxpay',
      form: {
        token,
        ka_ids: ka_ids && cards,
        openid: some('o-1'),
        pass,
        wxprice: some(wxprice, '\\d+\\.\\d{2}'),
        ggid,
        ...pieces,
        phone: '',
        key: some(key, '[0-9a-f]{32}'),
      },
      answer: prepared,
    },
    () => payGoodsWithApp(newGoods(), { ka_ids, openid: 'o-1', pass, wxprice }),
  );
  expect(payment).toMatchObject({ jsApiParameters: { signType: 'RSA' } });
});

test('an unpaid goods order is quoted by its number', async () => {
  const due = await exchange(
    {
      state: unpaid,
      what: 'a quote for an unpaid goods order',
      path: '/Film/pay_date',
      form: { token, fulika: cards, oid: some(order) },
      answer: main.says({
        dkprice: amount('15.00'),
        wxprice: '0.00',
        ka_ids: regex('.+', '1'),
        total: amount('15.00'),
      }),
    },
    () => quoteGoods(repaid, ['31']),
  );
  expect(due.wxprice).toBe('0.00');
});

test('an unpaid goods order is paid with cards by its number', async () => {
  const paid = await exchange(
    {
      state: unpaid,
      what: 'the payment of an unpaid goods order with cards',
      path: '/Film/flkpay',
      form: { token, ka_ids: cards, pass: '246810', oid: some(order) },
      answer: main.says({ order_no: regex('.+', order), state: 4 }),
    },
    () => payGoodsWithCards(repaid, { ka_ids: '31', pass: '246810' }),
  );
  expect(paid.state).toBe(4);
});

test('an unpaid goods order is paid in the messaging app by its number', async () => {
  await exchange(
    {
      state: 'an unpaid goods order for the messaging app',
      what: 'the payment of an unpaid goods order in the messaging app',
      path: '/Film/wxpay',
      form: {
        token,
        ka_ids: '',
        openid: some('o-1'),
        pass: '',
        wxprice: some('15.00', '\\d+\\.\\d{2}'),
        oid: some(order),
      },
      answer: prepared,
    },
    () => payGoodsWithApp(repaid, { ka_ids: '', openid: 'o-1', pass: '', wxprice: '15.00' }),
  );
});

test.each([
  [unpaid, 0, 'is unpaid'],
  ['a goods order with codes', 4, 'is paid'],
] as const)('%s: the state %i of an order that %s', async (state, wire, what) => {
  const result = await exchange(
    {
      state,
      what: `the state of a goods order that ${what}`,
      path: '/Kaquan/pay_success',
      form: { token, order_no: some(order) },
      answer: main.says({ order_no: regex('.+', order), state: wire, type: 2, order: cardOrder(wire, 2) }),
    },
    () => goodsPaymentResult(order),
  );
  expect(result.order.state).toBe(wire);
});
