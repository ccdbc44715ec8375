import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, refused, some } from '../../test/pact';
import { amount, card, main, newmovie } from '../../test/pact-shapes';
import { logInByPhone } from '../features/account/log-in';
import {
  changePhone,
  closeAccount,
  confirmAccess,
  endOtherSessions,
  endSession,
  exportData,
  getClosing,
  getSecurity,
  getSessions,
  sendNewPhoneCode,
  sendSecurityCode,
  unbindPhone,
  unbindWechat,
} from '../features/account/security';
import { sendPasswordCode, setPaymentPassword } from '../features/account/set-payment-password';
import { bindCard } from '../features/cards/bind-card';
import { ticketPage } from '../features/orders/ticket-page';
import { listCards } from '../shop/card-list';
import { session } from '../wire/session';

const { eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const code = some('123456', '\\d{6}');
const phone = some('13800000000', '1\\d{10}');
const nothing = main.says(like({}));
const maskedPhone = regex('1\\d{2}\\*{4}\\d{4}', '138****0000');
const moment = regex('\\d{4}-.+', '2026-05-01T12:00:00+08:00');

beforeEach(() => session.logIn('tok'));

test('how an account can be opened', async () => {
  const security = await exchange(
    {
      state: 'a logged-in buyer',
      what: 'the page of account and security',
      path: '/Member/security',
      form: { token },
      answer: main.says({ phone: maskedPhone, wechat: false, has_password: false }),
    },
    () => getSecurity(),
  );
  expect(security).toEqual({ phone: '138****0000', wechat: false, has_password: false });
});

test.each(['safety', 'closing'] as const)('a code for the purpose %s', async (purpose) => {
  await exchange(
    {
      state: 'a buyer who was sent no code for a minute',
      what: `a code for ${purpose}`,
      path: '/Member/securitycode',
      form: { token, purpose },
      answer: main.says({ wait: integer(60) }),
    },
    () => sendSecurityCode(purpose),
  );
});

test('a code to a new phone', async () => {
  await exchange(
    {
      state: 'a logged-in buyer and a new phone',
      what: 'a code to a new phone',
      path: '/Member/newphonecode',
      form: { token, phone },
      answer: main.says({ wait: integer(60) }),
    },
    () => sendNewPhoneCode('13800000000'),
  );
});

test('another phone for the account', async () => {
  await exchange(
    {
      state: 'a buyer with codes to both phones',
      what: 'another phone for the account',
      path: '/Member/changephone',
      form: { token, phone, newcode: code, code },
      answer: nothing,
    },
    () => changePhone('13800000000', '123456', { code: '123456' }),
  );
});

test('the phone is taken off an account with an identity', async () => {
  await exchange(
    {
      state: 'a buyer with an identity and a code for safety',
      what: 'the removal of the phone',
      path: '/Member/unbindphone',
      form: { token, code },
      answer: nothing,
    },
    () => unbindPhone('123456'),
  );
});

test('the phone of an account without an identity stays', async () => {
  await refused(main, 'identity_missing', {
    state: 'a buyer with a code for safety',
    what: 'the removal of the only way into the account',
    path: '/Member/unbindphone',
    form: { token, code },
    call: () => unbindPhone('123456'),
  });
});

test('the identity is taken off the account', async () => {
  await exchange(
    {
      state: 'a buyer with an identity and a code for safety',
      what: 'the removal of the identity',
      path: '/Member/unbindwechat',
      form: { token, code },
      answer: nothing,
    },
    () => unbindWechat('123456'),
  );
});

test('an account without an identity has none to remove', async () => {
  await refused(main, 'identity_unbound', {
    state: 'a buyer with a code for safety',
    what: 'the removal of no identity',
    path: '/Member/unbindwechat',
    form: { token, code },
    call: () => unbindWechat('123456'),
  });
});

test('what is not bound to the account cannot be taken off it', async () => {
  await refused(main, 'identity_unbound', {
    state: 'a buyer with an identity and a code for safety',
    what: 'the removal of an identity of another account',
    path: '/Member/unbindwechat',
    form: { token, code, openid: 'oOfAnotherAccount' },
    call: () => unbindWechat('123456', 'oOfAnotherAccount'),
  });
});

const twoSessions = 'a buyer with an identity and two sessions';
const day = regex('\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d', '2026-05-01 12:00:00');

test('what can open the account is listed', async () => {
  const open = await exchange(
    {
      state: twoSessions,
      what: 'the sessions and identities',
      path: '/Member/sessions',
      form: { token },
      answer: main.says({
        sessions: eachLike({
          id: regex('[0-9a-f]{64}', 'ab'.repeat(32)),
          device: like('iPhone · 微信'),
          network: like('203.0.113.*'),
          created_at: day,
          used_at: day,
          current: like(true),
        }),
        identities: eachLike({ openid: regex('.+', 'o-1'), bound_at: day, used_at: day, confirmed: false }),
      }),
    },
    () => getSessions(),
  );
  expect(open).toMatchObject({ sessions: [{ current: true }], identities: [{ openid: 'o-1', confirmed: false }] });
});

test('another session is ended', async () => {
  await exchange(
    {
      state: twoSessions,
      what: 'the end of another session',
      path: '/Member/endsession',
      form: { token, id: some('ab'.repeat(32), '[0-9a-f]{64}') },
      answer: nothing,
    },
    () => endSession('ab'.repeat(32)),
  );
});

test('a session that the buyer does not have is not ended', async () => {
  await refused(main, 'session_unknown', {
    state: 'a logged-in buyer',
    what: 'the end of an unknown session',
    path: '/Member/endsession',
    form: { token, id: 'ff'.repeat(32) },
    call: () => endSession('ff'.repeat(32)),
  });
});

test('all other sessions are ended', async () => {
  await exchange(
    {
      state: twoSessions,
      what: 'the end of all other sessions',
      path: '/Member/endsessions',
      form: { token },
      answer: nothing,
    },
    () => endOtherSessions(),
  );
});

test('what the closing of an account gives up', async () => {
  const closing = await exchange(
    {
      state: 'a buyer with a card',
      what: 'what the closing gives up',
      path: '/Member/closing',
      form: { token },
      answer: main.says({ unfinished: [], cards: 1, points: amount('500.00'), vouchers: 0, phone: maskedPhone }),
    },
    () => getClosing(),
  );
  expect(closing).toMatchObject({ cards: 1, points: '500.00', unfinished: [] });
});

test('an order that waits for its payment prevents the closing', async () => {
  const closing = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'the closing with an unpaid order',
      path: '/Member/closing',
      form: { token },
      answer: main.says({
        unfinished: eachLike({ order_no: like('26112019504638967617'), kind: 'ticket', reason: 'unpaid' }),
        cards: integer(1),
        points: like('500.00'),
        vouchers: 0,
        phone: maskedPhone,
      }),
    },
    () => getClosing(),
  );
  expect(closing.unfinished[0]).toMatchObject({ reason: 'unpaid' });
});

test('an account is closed with a code', async () => {
  await exchange(
    {
      state: 'a buyer with a code for closing',
      what: 'the closing of an account',
      path: '/Member/close',
      form: { token, points: '0.00', code },
      answer: nothing,
    },
    () => closeAccount('0.00', { code: '123456' }),
  );
});

test('a copy of the personal data', async () => {
  const copy = await exchange(
    {
      state: 'a buyer with a code for safety',
      what: 'a copy of the personal data',
      path: '/Member/export',
      form: { token, code },
      answer: main.says({
        made_at: moment,
        account: like({ id: integer(1), phone: regex('1\\d{10}', '13800000000'), created_at: moment }),
        sessions: eachLike({ method: like('code'), created_at: moment }),
        cards: [],
        orders: [],
        events: eachLike({ at: moment, kind: like('login_code'), address: like('127.0.0.1') }),
      }),
    },
    () => exportData({ code: '123456' }),
  );
  expect(copy.account.phone).toBe('13800000000');
});

test('a code sent to the phone of a dormant account opens a session with limited access', async () => {
  const login = await exchange(
    {
      state: 'a dormant account and a code',
      what: 'a login to a dormant account',
      path: '/Login/phoneLogin',
      form: { phone, code },
      answer: main.says({
        token: regex('.+', 'tok-1'),
        uid: regex('.+', '1'),
        openid: '',
        yz_code: '',
        access: 'limited',
      }),
    },
    () => logInByPhone('13800000000', '123456'),
  );
  expect(login).toMatchObject({ token: 'tok-1', uid: '1', access: 'limited' });
});

const limited = 'a session with limited access';

test('how a session with limited access gets more', async () => {
  const security = await exchange(
    {
      state: limited,
      what: 'the page of account and security with limited access',
      path: '/Member/security',
      form: { token },
      answer: main.says({ phone: maskedPhone, wechat: false, has_password: true, next_proof: 'owner' }),
    },
    () => getSecurity(),
  );
  expect(security.next_proof).toBe('owner');
});

test('a session with limited access is confirmed by the payment password', async () => {
  session.setAccess('limited');
  await exchange(
    {
      state: limited,
      what: 'the confirmation of a session by the payment password',
      path: '/Login/confirm',
      form: { token, password: '246810' },
      answer: main.says({ access: '' }),
    },
    () => confirmAccess({ password: '246810' }),
  );
  expect(session.access()).toBe('');
});

test('a session with limited access is not confirmed by a wrong payment password', async () => {
  await exchange(
    {
      state: limited,
      what: 'the confirmation of a session by a wrong payment password',
      path: '/Login/confirm',
      form: { token, password: '999999' },
      answer: main.denies('payment_password_wrong', { tries_left: integer(4) }),
    },
    () =>
      expect(confirmAccess({ password: '999999' })).rejects.toMatchObject({
        error: 'payment_password_wrong',
        data: { tries_left: 4 },
      }),
  );
});

test('a session with limited access sees no cards, and changes no payment password', async () => {
  await refused(card, 'access_limited', {
    state: limited,
    what: 'the cards with limited access',
    path: '/api/api.php/Card/lists',
    form: { token, flag: '1' },
    call: () => listCards(1),
  });
  expect(session.access()).toBe('limited');
  await refused(main, 'access_limited', {
    state: limited,
    what: 'a code for the payment password with limited access',
    path: '/Member/getsendcode',
    form: { token },
    call: () => sendPasswordCode(),
  });
});

test('a payment password that is guessed first is refused', async () => {
  await refused(main, 'password_weak', {
    state: 'a logged-in buyer with a code',
    what: 'a weak payment password',
    path: '/Member/editpassword',
    form: { token, code, password: '123456' },
    call: () => setPaymentPassword('123456', '123456'),
  });
});

test('a session that a link opened binds no card before a code', async () => {
  await refused(card, 'link_unconfirmed', {
    state: 'a session by link with a code',
    what: 'the binding of a card in a session by link',
    path: '/api/api.php/Card/addbinding',
    form: { token, kahao: '8010000000000001', pass: '123456' },
    call: () => bindCard({ kahao: '8010000000000001', pass: '123456' }),
  });
  expect(session.access()).toBe('link');
});

test('a session that a link opened is confirmed by a code', async () => {
  session.setAccess('link');
  await exchange(
    {
      state: 'a session by link with a code',
      what: 'the confirmation of a session by a code',
      path: '/Login/confirm',
      form: { token, code },
      answer: main.says({ access: '' }),
    },
    () => confirmAccess({ code: '123456' }),
  );
  expect(session.access()).toBe('');
});

test("the provider's page of a ticket", async () => {
  const page = await exchange(
    {
      state: 'an issued newmovie order',
      what: "the provider's page of a ticket",
      path: '/newmovie/seat/ticketToken',
      form: { token, oid: some('26112019504638967617') },
      answer: newmovie.says({ url: regex('https?://.+', 'https://ticket.example/t?k=1'), expires_in: integer(300) }),
    },
    () => ticketPage('26112019504638967617'),
  );
  expect(page.url).toContain('ticket');
});

test('a legacy ticket has no page of the provider', async () => {
  await refused(newmovie, 'order_state', {
    state: 'an issued legacy order',
    what: "the provider's page of a legacy ticket",
    path: '/newmovie/seat/ticketToken',
    form: { token, oid: some('26112019504638967617') },
    call: () => ticketPage('26112019504638967617'),
  });
});
