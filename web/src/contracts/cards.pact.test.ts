import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, refused, some } from '../../test/pact';
import { amount, card, welfareCard } from '../../test/pact-shapes';
import { deleteCard } from '../features/cards/delete-card';
import { listRecords } from '../features/cards/list-records';
import { checkMerge, mergeCards } from '../features/cards/merge-cards';
import { showCard } from '../features/cards/show-card';
import { session } from '../wire/session';

const { eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const cardRoute = '/api/api.php/Card';
const id = some('7', '\\d+');
const number = regex('\\d{16}', '8014414365634014');

beforeEach(() => session.logIn('tok'));

test('a card with the code that its page shows', async () => {
  const shown = await exchange(
    {
      state: 'a card of the buyer',
      what: 'the page of a card',
      path: `${cardRoute}/show`,
      form: { token, khid: id },
      answer: card.says({
        card_num: number,
        card: { ...welfareCard, code: regex('(\\d\\d){14,25}', '28'.repeat(16)) },
      }),
    },
    () => showCard('7'),
  );
  expect(shown.card).toMatchObject({ pid: 1, price: '500.00', flag: 1, code: '28'.repeat(16) });
});

test("another buyer's card is one that does not exist", async () => {
  await refused(card, 'card_not_found', {
    state: "another buyer's card",
    what: "the page of another buyer's card",
    path: `${cardRoute}/show`,
    form: { token, khid: id },
    call: () => showCard('7'),
  });
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
    () => listRecords(kind, '7', 1),
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
    () => listRecords(kind, '7', 1),
  );
  expect(found.list).toEqual([]);
});

test("the records of another buyer's card are refused", async () => {
  await refused(card, 'card_not_found', {
    state: "another buyer's card",
    what: "the records of another buyer's card",
    path: `${cardRoute}/consume`,
    form: { token, khid: id, pageno: '1', pagesize: '10000' },
    call: () => listRecords('consume', '7', 1),
  });
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
    () => deleteCard('7'),
  );
  expect(gone).toBe(true);
});

test.each([
  ['a card of the buyer', 'the end of a card that holds points', 'card_has_balance'],
  ["another buyer's card", "the end of another buyer's card", 'card_not_found'],
])('%s: %s is refused', async (state, what, error) => {
  await exchange(
    { state, what, path: `${cardRoute}/delcard`, form: { token, kid: id }, answer: card.denies(error) },
    () => expect(deleteCard('7')).rejects.toMatchObject({ error }),
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
  await refused(card, 'merge_mixed_types', {
    state: 'two cards of two types',
    what: 'what a merge of two types would do',
    path: `${cardRoute}/checkmergecards`,
    form: { token, fulika: pair, pid: '1' },
    call: () => checkMerge(['1', '2'], 1),
  });
});

test('one card is not merged', async () => {
  await refused(card, 'merge_too_few', {
    state: 'a buyer with a card',
    what: 'what a merge of one card would do',
    path: `${cardRoute}/checkmergecards`,
    form: { token, fulika: some('7', '\\d+'), pid: '1' },
    call: () => checkMerge(['7'], 1),
  });
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
