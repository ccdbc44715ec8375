import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, some } from '../../test/pact';
import { amount, bridge, card, main, welfareCard } from '../../test/pact-shapes';
import { getLocationSignature } from '../api/position-in-app';
import { session } from '../api/session';
import { bindingGuide, bindScanned } from '../features/cards/bind-card';
import { deleteCard } from '../features/cards/delete-card';
import { listRecords } from '../features/cards/list-records';
import { checkMerge, mergeCards } from '../features/cards/merge-cards';
import { rechargeCard, rechargeOffer, rechargeSuccess } from '../features/cards/recharge-card';
import { showCard } from '../features/cards/show-card';

const { eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const cardRoute = '/api/api.php/Card';
const id = some('1', '\\d+');
const number = regex('\\d{16}', '8014414365634014');

beforeEach(() => session.logIn('tok'));

test('a card with the code that its page shows', async () => {
  const shown = await exchange(
    {
      state: 'a card of the buyer',
      what: 'the page of a card',
      path: `${cardRoute}/show`,
      form: { token, khid: id },
      answer: card.says({ card_num: number, card: { ...welfareCard, code: regex('[A-Z2-7]{32}', 'A'.repeat(32)) } }),
    },
    () => showCard('1'),
  );
  expect(shown.card).toMatchObject({ pid: 1, price: '500.00', flag: 1, code: 'A'.repeat(32) });
});

test("somebody else's card is one that does not exist", async () => {
  await exchange(
    {
      state: "somebody else's card",
      what: "the page of somebody else's card",
      path: `${cardRoute}/show`,
      form: { token, khid: id },
      answer: card.denies('card_not_found'),
    },
    () => expect(showCard('1')).rejects.toMatchObject({ error: 'card_not_found' }),
  );
});

test.each([
  ['consume', 'what was taken from a card', 4],
  ['recharge', 'what a card was given', 3],
] as const)('%s: %s', async (kind, what, flag) => {
  const found = await exchange(
    {
      state: 'a card with records',
      what,
      path: `${cardRoute}/${kind}`,
      form: { token, khid: id, pageno: '1', pagesize: '10000' },
      answer: card.says({
        list: eachLike({ flag, add_time: integer(1795175925), price: amount('2.00'), remark: like('契约测试') }),
        total: integer(1),
      }),
    },
    () => listRecords(kind, '1', 1),
  );
  expect(found).toMatchObject({ list: [{ flag, price: '2.00' }], total: 1 });
});

test.each([
  ['consume', 'the records of spending of a card that was never used'],
  ['recharge', 'the records of recharging of a card that never was'],
] as const)('%s: %s', async (kind, what) => {
  const found = await exchange(
    {
      state: 'a card of the buyer',
      what,
      path: `${cardRoute}/${kind}`,
      form: { token, khid: id, pageno: '1', pagesize: '10000' },
      answer: card.says({ list: [], total: 0 }),
    },
    () => listRecords(kind, '1', 1),
  );
  expect(found.list).toEqual([]);
});

test("the records of somebody else's card are refused", async () => {
  await exchange(
    {
      state: "somebody else's card",
      what: "the records of somebody else's card",
      path: `${cardRoute}/consume`,
      form: { token, khid: id, pageno: '1', pagesize: '10000' },
      answer: card.denies('card_not_found'),
    },
    () => expect(listRecords('consume', '1', 1)).rejects.toMatchObject({ error: 'card_not_found' }),
  );
});

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

test("somebody else's card cannot be recharged", async () => {
  await exchange(
    {
      state: "somebody else's card",
      what: "what somebody else's card can be recharged with",
      path: `${cardRoute}/chongzhi`,
      form: { token, khid: id },
      answer: card.denies('card_not_found'),
    },
    () => expect(rechargeOffer('1')).rejects.toMatchObject({ error: 'card_not_found' }),
  );
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
  expect(prepared.jsApiParameters.signType).toBe('RSA');
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
  await exchange(
    {
      state: 'a logged-in buyer',
      what: 'the result of a recharge that does not exist',
      path: `${cardRoute}/cxpay_success`,
      form: { token, order_no: '26112019504638967617' },
      answer: card.denies('order_not_found'),
    },
    () => expect(rechargeSuccess('26112019504638967617')).rejects.toMatchObject({ error: 'order_not_found' }),
  );
});

test('an empty card is deleted: status 3', async () => {
  const gone = await exchange(
    {
      state: 'an empty card of the buyer',
      what: 'the end of an empty card',
      path: `${cardRoute}/delcard`,
      form: { token, kid: id },
      answer: card.says({ status: 3 }),
    },
    () => deleteCard('1'),
  );
  expect(gone).toBe(true);
});

test.each([
  ['a card of the buyer', 'the end of a card that holds points', 'card_has_balance'],
  ["somebody else's card", "the end of somebody else's card", 'card_not_found'],
])('%s: %s is refused', async (state, what, error) => {
  await exchange(
    { state, what, path: `${cardRoute}/delcard`, form: { token, kid: id }, answer: card.denies(error) },
    () => expect(deleteCard('1')).rejects.toMatchObject({ error }),
  );
});

const pair = some('1,2', '\\d+(,\\d+)*');

test('what a merge would do', async () => {
  const check = await exchange(
    {
      state: 'two cards of a type',
      what: 'what a merge would do',
      path: `${cardRoute}/checkmergecards`,
      form: { token, fulika: pair, pid: '1' },
      answer: card.says({
        del_ka_str: number,
        hb_ka_str: number,
        del_ka_price: '20.50',
        hb_ka_price: '320.50',
        code: regex('.+', 'MERGECODE'),
      }),
    },
    () => checkMerge(['1', '2'], 1),
  );
  expect(check).toMatchObject({ del_ka_price: '20.50', hb_ka_price: '320.50', code: 'MERGECODE' });
});

test('cards of two types are not merged', async () => {
  await exchange(
    {
      state: 'two cards of two types',
      what: 'what a merge of two types would do',
      path: `${cardRoute}/checkmergecards`,
      form: { token, fulika: pair, pid: '1' },
      answer: card.denies('merge_mixed_types'),
    },
    () => expect(checkMerge(['1', '2'], 1)).rejects.toMatchObject({ error: 'merge_mixed_types' }),
  );
});

test('one card is not merged', async () => {
  await exchange(
    {
      state: 'a buyer with a card',
      what: 'what a merge of one card would do',
      path: `${cardRoute}/checkmergecards`,
      form: { token, fulika: pair, pid: '1' },
      answer: card.denies('merge_too_few'),
    },
    () => expect(checkMerge(['1'], 1)).rejects.toMatchObject({ error: 'merge_too_few' }),
  );
});

test('a merge that was shown', async () => {
  const merged = await exchange(
    {
      state: 'two cards whose merge was shown',
      what: 'a merge',
      path: `${cardRoute}/mergecards`,
      form: { token, fulika: pair, pid: '1', code: some('MERGECODE') },
      answer: card.says({ id: like('1') }),
    },
    () => mergeCards(['1', '2'], 1, 'MERGECODE'),
  );
  expect(merged.id).toBe('1');
});

test.each([
  ['two cards of a type', 'a merge with a code that was never given'],
  ['two cards whose merge was shown before a balance changed', 'a merge of other balances than were shown'],
])('%s: %s is refused', async (state, what) => {
  await exchange(
    {
      state,
      what,
      path: `${cardRoute}/mergecards`,
      form: { token, fulika: pair, pid: '1', code: some('MERGECODE') },
      answer: card.denies('merge_code_invalid'),
    },
    () => expect(mergeCards(['1', '2'], 1, 'MERGECODE')).rejects.toMatchObject({ error: 'merge_code_invalid' }),
  );
});

const signature = {
  appid: regex('.+', 'wx23f19fc5037b9764'),
  time: integer(1795175925),
  nonceStr: regex('.+', 'n0nce'),
  signature: regex('[0-9a-f]{40}', '0'.repeat(40)),
};

test('what to know about binding, with the signature of the page', async () => {
  const guide = await exchange(
    {
      state: 'a page to be signed',
      what: 'what to know about binding, with a signature',
      path: `${cardRoute}/bindingcard`,
      form: { token, url: some('http://shop.test/bindingCard') },
      answer: card.says({ single: { title: like('绑定须知'), content: like('<p>须知</p>') }, ...signature }),
    },
    () => bindingGuide('http://shop.test/bindingCard'),
  );
  expect(guide).toMatchObject({ single: { title: '绑定须知' }, time: 1795175925 });
});

test('what to know about binding, without a page', async () => {
  const guide = await exchange(
    {
      state: 'a logged-in buyer',
      what: 'what to know about binding, without a page',
      path: `${cardRoute}/bindingcard`,
      form: { token },
      answer: card.says({
        single: { title: like('绑定须知'), content: like('<p>须知</p>') },
        appid: '',
        time: 0,
        nonceStr: '',
        signature: '',
      }),
    },
    () => bindingGuide(''),
  );
  expect(guide.signature).toBe('');
});

test("somebody else's page is not signed for the scanner", async () => {
  await exchange(
    {
      state: 'a logged-in buyer',
      what: "the signature of somebody else's page for the scanner",
      path: `${cardRoute}/bindingcard`,
      form: { token, url: 'https://evil.example/' },
      answer: card.denies('url_not_allowed'),
    },
    () => expect(bindingGuide('https://evil.example/')).rejects.toMatchObject({ error: 'url_not_allowed' }),
  );
});

test('a page is signed for the location', async () => {
  const signed = await exchange(
    {
      state: 'a page to be signed',
      what: 'the signature of a page for the location',
      path: '/movie/route/Movie/getLocation',
      form: { url: some('http://shop.test/bindingCard') },
      answer: main.says(signature),
    },
    () => getLocationSignature('http://shop.test/bindingCard'),
  );
  expect(signed.signature).toHaveLength(40);
});

test("somebody else's page is not signed for the location", async () => {
  await exchange(
    {
      state: 'a logged-in buyer',
      what: "the signature of somebody else's page for the location",
      path: '/movie/route/Movie/getLocation',
      form: { url: 'https://evil.example/' },
      answer: main.denies('url_not_allowed'),
    },
    () => expect(getLocationSignature('https://evil.example/')).rejects.toMatchObject({ error: 'url_not_allowed' }),
  );
});

test('a card is bound by what was scanned', async () => {
  const bound = await exchange(
    {
      state: 'a card that can be scanned',
      what: 'the binding of a scanned card',
      path: `${cardRoute}/scanbinding`,
      form: { token, content: some('8018888810000001:20000001') },
      answer: card.says({ id: regex('.+', '1') }),
    },
    () => bindScanned('8018888810000001:20000001'),
  );
  expect(bound.id).toBe('1');
});

test('what cannot be read is refused', async () => {
  await exchange(
    {
      state: 'a logged-in buyer',
      what: 'the binding of what cannot be read',
      path: `${cardRoute}/scanbinding`,
      form: { token, content: '?' },
      answer: card.denies('scan_unreadable'),
    },
    () => expect(bindScanned('?')).rejects.toMatchObject({ error: 'scan_unreadable' }),
  );
});
