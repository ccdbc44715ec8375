import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, loginAsked, refused, some } from '../../test/pact';
import { card, counts, main, welfareCard } from '../../test/pact-shapes';
import { sendPasswordCode, setPaymentPassword } from '../features/account/set-payment-password';
import { bindCard } from '../features/cards/bind-card';
import { listCards, unusableCards } from '../shop/card-list';
import { getMember } from '../shop/get-member';
import { session } from '../wire/session';

const { eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const cardRoute = '/api/api.php/Card';

beforeEach(() => session.logIn('tok'));

test("the buyer's own page", async () => {
  const member = await exchange(
    {
      state: 'a buyer with a card',
      what: 'the page of a buyer',
      path: '/Member/index',
      form: { token },
      answer: main.says({
        img: like('/uploads/a.jpg'),
        phone: regex('1\\d{2}\\*{4}\\d{4}', '138****0000'),
        all_phone: regex('1\\d{10}', '13800000000'),
        card_num: 1,
        order_num: { ...counts, all: integer(0), to_use: integer(0) },
        has_password: true,
      }),
    },
    () => getMember(),
  );
  expect(member).toMatchObject({ card_num: 1, has_password: true });
});

test('the page of a buyer without a session asks for a login', async () => {
  await loginAsked(main, {
    state: 'no session',
    what: 'the page of a buyer, without a session',
    path: '/Member/index',
    form: { token },
    call: () => getMember(),
  });
  expect(session.token()).toBe('');
});

test('a code for a new payment password', async () => {
  const sent = await exchange(
    {
      state: 'a buyer who was sent no code for a minute',
      what: 'a code for a new payment password',
      path: '/Member/getsendcode',
      form: { token },
      answer: main.says({ wait: integer(60) }),
    },
    () => sendPasswordCode(),
  );
  expect(sent.wait).toBe(60);
});

test('a new payment password', async () => {
  await exchange(
    {
      state: 'a logged-in buyer with a code',
      what: 'a new payment password',
      path: '/Member/editpassword',
      form: { token, code: some('123456', '\\d{6}'), password: '246810' },
      answer: main.says(like({})),
    },
    () => setPaymentPassword('123456', '246810'),
  );
});

test('a new payment password with a wrong code is refused', async () => {
  await refused(main, 'code_wrong', {
    state: 'a logged-in buyer',
    what: 'a new payment password with a wrong code',
    path: '/Member/editpassword',
    form: { token, code: '000000', password: '246810' },
    call: () => setPaymentPassword('000000', '246810'),
  });
});

test.each([
  [1, 'usable cards'],
  [3, 'usable cards, poorest first'],
  [4, 'usable cards, richest first'],
] as const)('flag %i: %s', async (flag, what) => {
  const found = await exchange(
    {
      state: 'a buyer with a card',
      what,
      path: `${cardRoute}/lists`,
      form: { token, flag: String(flag) },
      answer: card.says({ card_list: eachLike(welfareCard) }),
    },
    () => listCards(flag),
  );
  expect(found.card_list[0]).toMatchObject({ pid: 1, price: '500.00', flag: 1 });
});

test('cards about to expire, of a buyer who has none', async () => {
  const found = await exchange(
    {
      state: 'a buyer with a card',
      what: 'cards about to expire, of a buyer who has none',
      path: `${cardRoute}/lists`,
      form: { token, flag: '2' },
      answer: card.says({ card_list: [] }),
    },
    () => listCards(2),
  );
  expect(found.card_list).toEqual([]);
});

test('cards that can no longer be used, of a buyer who has none', async () => {
  const found = await exchange(
    {
      state: 'a logged-in buyer',
      what: 'cards that can no longer be used, of a buyer who has none',
      path: `${cardRoute}/nucard`,
      form: { token },
      answer: card.says({ card_list: [] }),
    },
    () => unusableCards(),
  );
  expect(found.card_list).toEqual([]);
});

test('the list of cards without a session asks for a login, with a number as code', async () => {
  await loginAsked(card, {
    state: 'no session',
    what: 'the list of cards without a session',
    path: `${cardRoute}/lists`,
    form: { token, flag: '1' },
    call: () => listCards(1),
  });
});

test('a card is bound by number and password', async () => {
  const bound = await exchange(
    {
      state: 'a card that is not bound',
      what: 'the binding of a card',
      path: `${cardRoute}/addbinding`,
      form: { token, kahao: some('8018888810000001'), pass: some('20000001') },
      answer: card.says({ id: regex('.+', '1') }),
    },
    () => bindCard({ kahao: '8018888810000001', pass: '20000001' }),
  );
  expect(bound.id).toBe('1');
});

test('a card bound to another buyer is refused', async () => {
  await refused(card, 'card_bound', {
    state: 'a card bound to another buyer',
    what: 'the binding of a card of another buyer',
    path: `${cardRoute}/addbinding`,
    form: { token, kahao: some('8018888810000001'), pass: some('20000001') },
    call: () => bindCard({ kahao: '8018888810000001', pass: '20000001' }),
  });
});

test('a card that does not exist is refused', async () => {
  await exchange(
    {
      state: 'a logged-in buyer',
      what: 'the binding of a card that does not exist',
      path: `${cardRoute}/addbinding`,
      form: { token, kahao: '1234567890123456', pass: '00000000' },
      answer: card.denies('card_not_found', { tries_left: integer(4) }),
    },
    () =>
      expect(bindCard({ kahao: '1234567890123456', pass: '00000000' })).rejects.toMatchObject({
        error: 'card_not_found',
        data: { tries_left: 4 },
      }),
  );
});
