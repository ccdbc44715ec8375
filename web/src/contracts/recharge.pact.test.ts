import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, refused, some } from '../../test/pact';
import { amount, bridge, card, welfareCard } from '../../test/pact-shapes';
import { rechargeCard, rechargeOffer, rechargeSuccess } from '../features/cards/recharge-card';
import { session } from '../wire/session';

const { eachLike, like, regex } = MatchersV3;
const token = some('tok');
const cardRoute = '/api/api.php/Card';
const id = some('1', '\\d+');
const number = regex('\\d{16}', '8014414365634014');

beforeEach(() => session.logIn('tok'));

test('what a card can be recharged with', async () => {
  const offer = await exchange(
    {
      state: 'a card of the buyer',
      what: 'what a card can be recharged with',
      path: `${cardRoute}/chongzhi`,
      form: { token, khid: id },
      answer: card.says({
        card_num: number,
        card: welfareCard,
        taocan: eachLike({
          id: like('2'),
          num: amount('100.00'),
          price: amount('99.00'),
          danjia: regex('.+', '0.99元/点'),
        }),
      }),
    },
    () => rechargeOffer('1'),
  );
  expect(offer.taocan[0]).toEqual({ id: '2', num: '100.00', price: '99.00', danjia: '0.99元/点' });
});

test("another buyer's card cannot be recharged", async () => {
  await refused(card, 'card_not_found', {
    state: "another buyer's card",
    what: "what another buyer's card can be recharged with",
    path: `${cardRoute}/chongzhi`,
    form: { token, khid: id },
    call: () => rechargeOffer('1'),
  });
});

const recharge = { card_id: '1', openid: 'o-1', key: '0f'.repeat(16) };
const asked = { token, card_id: id, openid: some('o-1'), key: '0f'.repeat(16) };

test('a recharge by points of one’s own choice', async () => {
  const prepared = await exchange(
    {
      state: 'a card of the buyer',
      what: "a recharge by points of one's own choice",
      path: `${cardRoute}/czwxpay`,
      form: { ...asked, num: '88.50', price: '88.50' },
      answer: card.says({ jsApiParameters: bridge, order_no: regex('\\d+', '26112019504638967617') }),
    },
    () => rechargeCard({ ...recharge, num: '88.50', price: '88.50' }),
  );
  expect(prepared).toMatchObject({ jsApiParameters: { signType: 'RSA' } });
});

test('a recharge by package', async () => {
  await exchange(
    {
      state: 'a card of the buyer',
      what: 'a recharge by package',
      path: `${cardRoute}/czwxpay`,
      form: { ...asked, num: '100.00', price: '99.00', taocan: '2' },
      answer: card.says({ jsApiParameters: bridge, order_no: regex('\\d+', '26112019504638967617') }),
    },
    () => rechargeCard({ ...recharge, num: '100.00', price: '99.00', taocan: '2' }),
  );
});

test.each([
  ['fewer points than one', { num: '0.99', price: '0.99' }, 'recharge_points_invalid'],
  ['more points than 9999', { num: '9999.01', price: '9999.01' }, 'recharge_points_invalid'],
  ['another price than the shop’s', { num: '5.00', price: '4.00' }, 'amount_mismatch'],
  ['a package that does not exist', { num: '100.00', price: '1.00', taocan: '999' }, 'package_not_found'],
])('a recharge by %s is refused', async (what, wish, error) => {
  await exchange(
    {
      state: 'a card of the buyer',
      what: `a recharge by ${what.replace('’', "'")}`,
      path: `${cardRoute}/czwxpay`,
      form: { ...asked, ...wish },
      answer: card.denies(error),
    },
    () => expect(rechargeCard({ ...recharge, ...wish })).rejects.toMatchObject({ error }),
  );
});

test.each([
  ['a recharge paid in the messaging app', 4],
  ['a recharge that waits for its money', 0],
] as const)('the result of %s', async (state, number) => {
  const result = await exchange(
    {
      state,
      what: `the result of ${state}`,
      path: `${cardRoute}/cxpay_success`,
      form: { token, order_no: some('26112019504638967617', '\\d+') },
      answer: card.says({ order_no: regex('\\d+', '26112019504638967617'), state: number }),
    },
    () => rechargeSuccess('26112019504638967617'),
  );
  expect(result.state).toBe(number);
});

test('the result of a recharge that does not exist', async () => {
  await refused(card, 'order_not_found', {
    state: 'a logged-in buyer',
    what: 'the result of a recharge that does not exist',
    path: `${cardRoute}/cxpay_success`,
    form: { token, order_no: '26112019504638967617' },
    call: () => rechargeSuccess('26112019504638967617'),
  });
});
