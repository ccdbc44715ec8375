import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, rejected } from '../../test/pact';
import { legacyOrder, main, newOrder } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
import { getOrder } from '../features/payment/get-order';
import { paySuccess } from '../features/payment/pay-success';
import { payWithApp } from '../features/payment/pay-with-app';
import { payWithCards } from '../features/payment/pay-with-cards';
import { quote } from '../features/payment/quote';
import { spendableCards } from '../pay/spendable-cards';
import { session } from '../wire/session';

const { eachLike, equal, regex } = MatchersV3;
const at = (op: string) => `/movie/route/Movie/${op}` as const;
const token = 'tok';
const oid = '26112019504638967617';

beforeEach(() => session.logIn(token));

const payable = (order: object) => ({ order, time: 1795175925, has_password: true, openid: 'o-1', checking: false });

test(
  'an unpaid legacy order on the payment page, under /Film',
  answered(main, {
    state: 'an unpaid legacy order',
    path: '/Film/jsordershow',
    form: { token, oid },
    data: payable(legacyOrder('N')),
    call: () => getOrder(oid, 'legacy'),
  }),
);

test(
  'an unpaid newmovie order on the payment page',
  answered(main, {
    state: 'an unpaid newmovie order',
    path: at('jsordershow'),
    form: { token, oid },
    data: payable(newOrder(0)),
    call: () => getOrder(oid, 'new'),
  }),
);

test(
  'the cards that can pay for tickets',
  answered(main, {
    state: 'an unpaid legacy order',
    path: at('card'),
    form: { token },
    data: { card_list: eachLike(sample.card) },
    call: () => spendableCards(),
  }),
);

test(
  'a quote with a card that covers a part',
  answered(main, {
    state: 'an unpaid legacy order and a card with too little',
    path: at('pay_date'),
    form: { token, fulika: '1', oid },
    data: { dkprice: equal('10.00'), wxprice: '131.60', ka_ids: '1', total: '141.60' },
    call: () => quote(oid, ['1']),
  }),
);

const byCards = { token, oid, ka_ids: '1', pass: '246810' };
const payCards = (pass = '246810') => payWithCards({ oid, ka_ids: '1', pass });

test(
  'the payment of a legacy order with cards',
  answered(main, {
    state: 'an unpaid legacy order',
    path: at('flkpay'),
    form: byCards,
    data: { order_no: oid, orderstatus: regex('P|T|S', 'P') },
    call: () => payCards(),
  }),
);

test(
  'the payment of a newmovie order with cards',
  answered(main, {
    state: 'an unpaid newmovie order',
    path: at('flkpay'),
    form: byCards,
    data: { order_no: oid, orderstatus: 1 },
    call: () => payCards(),
  }),
);

test(
  'a payment of an expired order',
  rejected(main, 'order_expired', {
    state: 'an expired legacy order',
    path: at('flkpay'),
    form: byCards,
    call: () => payCards(),
  }),
);

test(
  "a payment of another buyer's order",
  rejected(main, 'order_not_found', {
    state: "another buyer's order",
    path: at('flkpay'),
    form: byCards,
    call: () => payCards(),
  }),
);

test(
  'a payment with a wrong password',
  rejected(main, 'payment_password_wrong', {
    state: 'an unpaid legacy order',
    path: at('flkpay'),
    form: { ...byCards, pass: '999999' },
    data: { tries_left: 4 },
    call: () => payCards('999999'),
  }),
);

test(
  'the preparation of a payment with a card and in the messaging app',
  answered(main, {
    state: 'an unpaid legacy order and a card with too little',
    path: at('wxpay'),
    form: { ...byCards, openid: 'o-1', wxprice: '131.60' },
    data: { jsApiParameters: sample.bridgeParams, order_no: oid },
    call: () => payWithApp({ oid, ka_ids: '1', openid: 'o-1', pass: '246810', wxprice: '131.60' }),
  }),
);

test(
  'the preparation of a payment in the messaging app from a browser',
  answered(main, {
    state: 'an unpaid newmovie order for the messaging app',
    path: at('wxpay'),
    form: { token, oid, ka_ids: '', trade_type: 'MWEB', pass: '', wxprice: '90.40' },
    data: { h5_url: regex('https?://.+/checkmweb\\?.*prepay_id=.+', sample.h5Page), order_no: oid },
    call: () => payWithApp({ oid, ka_ids: '', trade_type: 'MWEB', pass: '', wxprice: '90.40' }),
  }),
);

const paid = { order_no: oid, orderstatus: regex('P|T|S', 'P'), type: equal(1), order: legacyOrder('P|T|S') };

test(
  'the state of an order paid in the messaging app',
  answered(main, {
    state: 'a paid legacy order in the messaging app',
    path: at('pay_success'),
    form: { token, order_no: oid },
    data: paid,
    call: () => paySuccess(oid, 'new'),
  }),
);

test(
  'the state of an order paid in the messaging app, under /Film',
  answered(main, {
    state: 'a paid legacy order in the messaging app',
    path: '/Film/pay_success',
    form: { token, order_no: oid },
    data: paid,
    call: () => paySuccess(oid, 'legacy'),
  }),
);

test(
  'the state of an unpaid order',
  answered(main, {
    state: 'an unpaid legacy order',
    path: at('pay_success'),
    form: { token, order_no: oid },
    data: { order_no: oid, orderstatus: equal('N'), type: equal(1), order: legacyOrder('N') },
    call: () => paySuccess(oid, 'new'),
  }),
);
