import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, loginAsked, rejected } from '../../test/pact';
import { main, newmovie } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
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
import { ticketPage } from '../features/orders/ticket-page';
import { getMember } from '../shop/get-member';
import { session } from '../wire/session';

const { eachLike, equal, regex } = MatchersV3;
const token = 'tok';
const code = '123456';
const phone = '13800000000';
const masked = regex('1\\d{2}\\*{4}\\d{4}', '138****0000');
const wait = { wait: 60 };

beforeEach(() => session.logIn(token));

test(
  'the page of a buyer',
  answered(main, {
    state: 'a buyer with a card',
    path: '/Member/index',
    form: { token },
    data: { ...sample.member, phone: masked, card_num: equal(1), has_password: equal(true) },
    call: () => getMember(),
  }),
);

test(
  'the page of a buyer, without a session',
  loginAsked(main, {
    state: 'no session',
    path: '/Member/index',
    form: { token },
    call: () => getMember(),
  }),
);

test(
  'a code for a new payment password',
  answered(main, {
    state: 'a buyer who was sent no code for a minute',
    path: '/Member/getsendcode',
    form: { token },
    data: wait,
    call: () => sendPasswordCode(),
  }),
);

test(
  'a new payment password',
  answered(main, {
    state: 'a logged-in buyer with a code',
    path: '/Member/editpassword',
    form: { token, code, password: '246810' },
    data: {},
    call: () => setPaymentPassword(code, '246810'),
  }),
);

test(
  'a weak payment password',
  rejected(main, 'password_weak', {
    state: 'a logged-in buyer with a code',
    path: '/Member/editpassword',
    form: { token, code, password: '123456' },
    call: () => setPaymentPassword(code, '123456'),
  }),
);

test(
  'the page of account and security',
  answered(main, {
    state: 'a logged-in buyer',
    path: '/Member/security',
    form: { token },
    data: { phone: masked, wechat: equal(false), has_password: equal(false) },
    call: () => getSecurity(),
  }),
);

test(
  'the page of account and security with limited access',
  answered(main, {
    state: 'a session with limited access',
    path: '/Member/security',
    form: { token },
    data: { phone: masked, wechat: equal(false), has_password: equal(true), next_proof: equal('owner') },
    call: () => getSecurity(),
  }),
);

test(
  'a code for closing',
  answered(main, {
    state: 'a buyer who was sent no code for a minute',
    path: '/Member/securitycode',
    form: { token, purpose: 'closing' },
    data: wait,
    call: () => sendSecurityCode('closing'),
  }),
);

test(
  'a code to a new phone',
  answered(main, {
    state: 'a logged-in buyer and a new phone',
    path: '/Member/newphonecode',
    form: { token, phone },
    data: wait,
    call: () => sendNewPhoneCode(phone),
  }),
);

test(
  'another phone for the account',
  answered(main, {
    state: 'a buyer with codes to both phones',
    path: '/Member/changephone',
    form: { token, phone, newcode: code, code },
    data: {},
    call: () => changePhone(phone, code, { code }),
  }),
);

test(
  'the removal of the phone',
  answered(main, {
    state: 'a buyer with an identity and a code for safety',
    path: '/Member/unbindphone',
    form: { token, code },
    data: {},
    call: () => unbindPhone(code),
  }),
);

test(
  'the removal of the identity',
  answered(main, {
    state: 'a buyer with an identity and a code for safety',
    path: '/Member/unbindwechat',
    form: { token, code },
    data: {},
    call: () => unbindWechat(code),
  }),
);

const twoSessions = 'a buyer with an identity and two sessions';

test(
  'the sessions and identities',
  answered(main, {
    state: twoSessions,
    path: '/Member/sessions',
    form: { token },
    data: {
      sessions: eachLike(sample.openSessions.sessions[0]),
      identities: eachLike(sample.openSessions.identities[0]),
    },
    call: () => getSessions(),
  }),
);

test(
  'the end of another session',
  answered(main, {
    state: twoSessions,
    path: '/Member/endsession',
    form: { token, id: 'ab'.repeat(32) },
    data: {},
    call: () => endSession('ab'.repeat(32)),
  }),
);

test(
  'the end of all other sessions',
  answered(main, {
    state: twoSessions,
    path: '/Member/endsessions',
    form: { token },
    data: {},
    call: () => endOtherSessions(),
  }),
);

test(
  'the closing with an unpaid order',
  answered(main, {
    state: 'an unpaid legacy order',
    path: '/Member/closing',
    form: { token },
    data: {
      unfinished: eachLike({ order_no: '26112019504638967617', kind: equal('ticket'), reason: equal('unpaid') }),
      cards: 1,
      points: '500.00',
      vouchers: 0,
      phone: masked,
    },
    call: () => getClosing(),
  }),
);

test(
  'the closing of an account',
  answered(main, {
    state: 'a buyer with a code for closing',
    path: '/Member/close',
    form: { token, points: '0.00', code },
    data: {},
    call: () => closeAccount('0.00', { code }),
  }),
);

const moment = regex('\\d{4}-.+', '2026-05-01T12:00:00+08:00');

test(
  'a copy of the personal data',
  answered(main, {
    state: 'a buyer with a code for safety',
    path: '/Member/export',
    form: { token, code },
    data: {
      ...sample.personalData,
      made_at: moment,
      sessions: eachLike({ method: 'code', created_at: moment, expires_at: moment, device: '', network: '' }),
      events: eachLike({ at: moment, kind: 'login_code', address: '127.0.0.1', by: '' }),
    },
    call: () => exportData({ code }),
  }),
);

test(
  'the confirmation of a session by the payment password',
  answered(main, {
    state: 'a session with limited access',
    path: '/Login/confirm',
    form: { token, password: '246810' },
    data: { access: equal('') },
    call: () => confirmAccess({ password: '246810' }),
  }),
);

test(
  'the confirmation of a session by a code',
  answered(main, {
    state: 'a session by link with a code',
    path: '/Login/confirm',
    form: { token, code },
    data: { access: equal('') },
    call: () => confirmAccess({ code }),
  }),
);

test(
  "the provider's page of a ticket",
  answered(newmovie, {
    state: 'an issued newmovie order',
    path: '/newmovie/seat/ticketToken',
    form: { token, oid: '26112019504638967617' },
    data: { url: regex('https?://.+', 'https://ticket.example/t?k=1'), expires_in: 300 },
    call: () => ticketPage('26112019504638967617'),
  }),
);
