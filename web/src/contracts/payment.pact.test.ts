import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, loginAsked, refused, some } from '../../test/pact';
import { amount, bridge, legacyOrder, main, newOrder, welfareCard } from '../../test/pact-shapes';
import { getOrder } from '../features/payment/get-order';
import { paySuccess } from '../features/payment/pay-success';
import { payWithApp } from '../features/payment/pay-with-app';
import { payWithCards } from '../features/payment/pay-with-cards';
import { quote } from '../features/payment/quote';
import { spendableCards } from '../pay/spendable-cards';
import { session } from '../wire/session';

const { eachLike, integer, regex } = MatchersV3;
const at = (op: string) => `/movie/route/Movie/${op}`;
const token = some('tok');
const oid = some('26112019504638967617');
const cards = some('1');
const order = '26112019504638967617';

beforeEach(() => session.logIn('tok'));

const payable = (shown: object) =>
  main.says({
    order: shown,
    time: integer(1795175925),
    has_password: true,
    openid: regex('.+', 'o-1'),
    checking: false,
  });

test.each([
  ['an unpaid legacy order', legacyOrder('N'), 'N'],
  ['an unpaid newmovie order', newOrder(0), 0],
  ['an expired legacy order', legacyOrder('E'), 'E'],
] as const)('%s is shown for payment', async (state, shown, orderstatus) => {
  const found = await exchange(
    {
      state,
      what: `${state} on the payment page`,
      path: at('jsordershow'),
      form: { token, oid },
      answer: payable(shown),
    },
    () => getOrder(order, 'new'),
  );
  expect(found.order.orderstatus).toBe(orderstatus);
  expect(found).toMatchObject({ has_password: true, openid: 'o-1' });
});

test('an order without new in its address is shown for payment by the call under /Film', async () => {
  const found = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'an unpaid legacy order on the payment page, under /Film',
      path: '/Film/jsordershow',
      form: { token, oid },
      answer: payable(legacyOrder('N')),
    },
    () => getOrder(order, 'legacy'),
  );
  expect(found.order.orderstatus).toBe('N');
});

test("another buyer's order is not shown", async () => {
  await refused(main, 'order_not_found', {
    state: "another buyer's order",
    what: "another buyer's order on the payment page",
    path: at('jsordershow'),
    form: { token, oid },
    call: () => getOrder(order, 'new'),
  });
});

test('the payment page is not shown without a session', async () => {
  await loginAsked(main, {
    state: 'no session',
    what: 'the payment page without a session',
    path: at('jsordershow'),
    form: { token, oid: '1' },
    call: () => getOrder('1', 'new'),
  });
});

test('the cards that can pay for tickets', async () => {
  const found = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'the cards that can pay for tickets',
      path: at('card'),
      form: { token },
      answer: main.says({ card_list: eachLike(welfareCard) }),
    },
    () => spendableCards(),
  );
  expect(found.card_list).toHaveLength(1);
});

test('what is to pay without a card', async () => {
  const due = await exchange(
    {
      state: 'an unpaid newmovie order without a card',
      what: 'a quote without a card',
      path: at('pay_date'),
      form: { token, fulika: '', oid },
      answer: main.says({ dkprice: '0.00', wxprice: amount('90.40'), ka_ids: '', total: amount('90.40') }),
    },
    () => quote(order, []),
  );
  expect(due).toMatchObject({ dkprice: '0.00', ka_ids: '' });
});

test('what is to pay when a card covers it all', async () => {
  const due = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'a quote with a card that covers it all',
      path: at('pay_date'),
      form: { token, fulika: cards, oid },
      answer: main.says({
        dkprice: amount('141.60'),
        wxprice: '0.00',
        ka_ids: regex('.+', '1'),
        total: amount('141.60'),
      }),
    },
    () => quote(order, ['1']),
  );
  expect(due.wxprice).toBe('0.00');
});

test('what is to pay when a card covers a part', async () => {
  const due = await exchange(
    {
      state: 'an unpaid legacy order and a card with too little',
      what: 'a quote with a card that covers a part',
      path: at('pay_date'),
      form: { token, fulika: cards, oid },
      answer: main.says({
        dkprice: '10.00',
        wxprice: amount('131.60'),
        ka_ids: regex('.+', '1'),
        total: amount('141.60'),
      }),
    },
    () => quote(order, ['1']),
  );
  expect(due.dkprice).toBe('10.00');
});

const byCards = { token, oid, ka_ids: cards, pass: '246810' };
const payCards = (pass = '246810') => payWithCards({ oid: order, ka_ids: '1', pass });

test('a legacy order is paid with cards', async () => {
  const paid = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'the payment of a legacy order with cards',
      path: at('flkpay'),
      form: byCards,
      answer: main.says({ order_no: regex('.+', order), orderstatus: regex('P|T|S', 'P') }),
    },
    () => payCards(),
  );
  expect(paid.order_no).toBe(order);
});

test('a newmovie order is paid with cards', async () => {
  const paid = await exchange(
    {
      state: 'an unpaid newmovie order',
      what: 'the payment of a newmovie order with cards',
      path: at('flkpay'),
      form: byCards,
      answer: main.says({ order_no: regex('.+', order), orderstatus: integer(1) }),
    },
    () => payCards(),
  );
  expect(paid.orderstatus).toBe(1);
});

test.each([
  [
    'an unpaid legacy order and a card with too little',
    'a payment with a card that has too little',
    'points_insufficient',
  ],
  ['an expired legacy order', 'a payment of an expired order', 'order_expired'],
  ["another buyer's order", "a payment of another buyer's order", 'order_not_found'],
] as const)('%s: %s is refused with %s', async (state, what, error) => {
  await exchange({ state, what, path: at('flkpay'), form: byCards, answer: main.denies(error) }, () =>
    expect(payCards()).rejects.toMatchObject({ kind: 'refused', error }),
  );
});

test('a payment with a wrong password is refused and tells the tries that are left', async () => {
  await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'a payment with a wrong password',
      path: at('flkpay'),
      form: { ...byCards, pass: '999999' },
      answer: main.denies('payment_password_wrong', { tries_left: integer(4) }),
    },
    () =>
      expect(payCards('999999')).rejects.toMatchObject({ error: 'payment_password_wrong', data: { tries_left: 4 } }),
  );
});

const prepared = main.says({ jsApiParameters: bridge, order_no: regex('.+', order) });

test("the messaging app's payment of a whole order is prepared", async () => {
  const payment = await exchange(
    {
      state: 'an unpaid newmovie order for the messaging app',
      what: 'the preparation of a payment in the messaging app',
      path: at('wxpay'),
      form: { token, oid, ka_ids: '', openid: some('o-1'), pass: '', wxprice: some('90.40', '\\d+\\.\\d{2}') },
      answer: prepared,
    },
    () => payWithApp({ oid: order, ka_ids: '', openid: 'o-1', pass: '', wxprice: '90.40' }),
  );
  expect(payment).toMatchObject({ jsApiParameters: { signType: 'RSA' } });
});

test("the messaging app's part of a payment is prepared", async () => {
  const payment = await exchange(
    {
      state: 'an unpaid legacy order and a card with too little',
      what: 'the preparation of a payment with a card and in the messaging app',
      path: at('wxpay'),
      form: {
        token,
        oid,
        ka_ids: cards,
        openid: some('o-1'),
        pass: '246810',
        wxprice: some('131.60', '\\d+\\.\\d{2}'),
      },
      answer: prepared,
    },
    () => payWithApp({ oid: order, ka_ids: '1', openid: 'o-1', pass: '246810', wxprice: '131.60' }),
  );
  expect(payment.order_no).toBe(order);
});

test('a payment from a browser is prepared', async () => {
  const h5_url = 'https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=9';
  const payment = await exchange(
    {
      state: 'an unpaid newmovie order for the messaging app',
      what: 'the preparation of a payment in the messaging app from a browser',
      path: at('wxpay'),
      form: { token, oid, ka_ids: '', trade_type: 'MWEB', pass: '', wxprice: some('90.40', '\\d+\\.\\d{2}') },
      answer: main.says({
        h5_url: regex('https?://.+/checkmweb\\?.*prepay_id=.+', h5_url),
        order_no: regex('.+', order),
      }),
    },
    () => payWithApp({ oid: order, ka_ids: '', trade_type: 'MWEB', pass: '', wxprice: '90.40' }),
  );
  expect(payment).toMatchObject({ h5_url, order_no: order });
});

test('a payment of another amount than the customer was shown is refused', async () => {
  await exchange(
    {
      state: 'an unpaid newmovie order without a card',
      what: 'the preparation of a payment of another amount',
      path: at('wxpay'),
      form: { token, oid, ka_ids: '', openid: some('o-1'), pass: '', wxprice: '0.01' },
      answer: main.denies('amount_mismatch'),
    },
    () =>
      expect(payWithApp({ oid: order, ka_ids: '', openid: 'o-1', pass: '', wxprice: '0.01' })).rejects.toMatchObject({
        error: 'amount_mismatch',
      }),
  );
});

test('an order that is paid in the messaging app is seen as paid', async () => {
  const result = await exchange(
    {
      state: 'a paid legacy order in the messaging app',
      what: 'the state of an order paid in the messaging app',
      path: at('pay_success'),
      form: { token, order_no: oid },
      answer: main.says({ order_no: regex('.+', order), order: legacyOrder('P|T|S', MatchersV3.like([])) }),
    },
    () => paySuccess(order, 'new'),
  );
  expect(result.order.orderstatus).toBe('P');
});

test('an order without new in its address is seen as paid by the call under /Film', async () => {
  const result = await exchange(
    {
      state: 'a paid legacy order in the messaging app',
      what: 'the state of an order paid in the messaging app, under /Film',
      path: '/Film/pay_success',
      form: { token, order_no: oid },
      answer: main.says({ order_no: regex('.+', order), order: legacyOrder('P|T|S', MatchersV3.like([])) }),
    },
    () => paySuccess(order, 'legacy'),
  );
  expect(result.order.orderstatus).toBe('P');
});

test('an unpaid order stays unpaid whatever the bridge said', async () => {
  const result = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'the state of an unpaid order',
      path: at('pay_success'),
      form: { token, order_no: oid },
      answer: main.says({ order_no: regex('.+', order), order: legacyOrder('N') }),
    },
    () => paySuccess(order, 'new'),
  );
  expect(result.order.orderstatus).toBe('N');
});
