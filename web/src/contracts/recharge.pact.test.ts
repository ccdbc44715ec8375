import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered } from '../../test/pact';
import { card } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
import { rechargeCard, rechargeOffer, rechargeSuccess } from '../features/cards/recharge-card';
import { session } from '../wire/session';

const { eachLike, equal } = MatchersV3;
const token = 'tok';
const cardRoute = '/api/api.php/Card';
const order = '26112019504638967617';

beforeEach(() => session.logIn(token));

test(
  'what a card can be recharged with',
  answered(card, {
    state: 'a card of the buyer',
    path: `${cardRoute}/chongzhi`,
    form: { token, khid: '1' },
    data: { card_num: sample.card.num, card: sample.card, taocan: eachLike(sample.rechargePackage) },
    call: () => rechargeOffer('1'),
  }),
);

const recharge = { card_id: '1', openid: 'o-1', key: '0f'.repeat(16) };

const prepared = (wish: { num: string; price: string; taocan?: string }) =>
  answered(card, {
    state: 'a card of the buyer',
    path: `${cardRoute}/czwxpay`,
    form: { token, ...recharge, ...wish },
    data: { jsApiParameters: sample.bridgeParams, order_no: order },
    call: () => rechargeCard({ ...recharge, ...wish }),
  });
test("a recharge by points of one's own choice", prepared({ num: '88.50', price: '88.50' }));
test('a recharge by package', prepared({ num: '100.00', price: '99.00', taocan: '2' }));

const result = (state: string, number: number) =>
  answered(card, {
    state,
    path: `${cardRoute}/cxpay_success`,
    form: { token, order_no: order },
    data: { order_no: order, state: equal(number), orderstatus: equal(number), card: sample.card },
    call: () => rechargeSuccess(order),
  });
test('the result of a paid recharge', result('a recharge paid in the messaging app', 4));
test('the result of an unpaid recharge', result('a recharge that waits for its money', 0));
