import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, rejected } from '../../test/pact';
import { main, newmovie } from '../../test/pact-shapes';
import { bindPhone, logInByPhone, quickLogIn } from '../features/account/log-in';
import { logOut } from '../features/account/log-out';
import { sendLoginCode } from '../features/account/send-login-code';
import { getPolicy } from '../features/content/get-policy';
import { exchangeLinkToken } from '../session/log-in-by-link';
import { finishOAuth, startOAuth } from '../session/oauth';
import { loginInfo } from '../shop/login-info';
import { session } from '../wire/session';

const { equal, regex } = MatchersV3;
const phone = '13800000000';
const code = '123456';
const noSession = 'no session';
const loggedIn = { token: regex('.+', 'tok-1'), uid: regex('.+', '1'), openid: '', yz_code: '' };

beforeEach(() => session.logOut());

test(
  'login info',
  answered(main, {
    state: noSession,
    path: '/Login/index',
    data: { weblogo: '/favicon.svg', zxkf: 'https://service.test/' },
    call: () => loginInfo(),
  }),
);

test(
  'the privacy policy',
  answered(main, {
    state: noSession,
    path: '/Login/single',
    form: { id: '1' },
    data: { title: '隐私政策', content: '<p>正文</p>' },
    call: () => getPolicy(1),
  }),
);

test(
  'a code for a phone',
  answered(main, {
    state: 'a phone',
    path: '/Login/sendcode',
    form: { phone },
    data: { wait: 60 },
    call: () => sendLoginCode(phone),
  }),
);

test(
  'another code within a minute',
  rejected(main, 'sms_limited', {
    state: 'a phone that was just sent a code',
    path: '/Login/sendcode',
    form: { phone },
    data: { wait: 41 },
    call: () => sendLoginCode(phone),
  }),
);

test(
  'a code for something that is not a phone',
  rejected(main, 'phone_invalid', {
    state: noSession,
    path: '/Login/sendcode',
    form: { phone: '12345' },
    call: () => sendLoginCode('12345'),
  }),
);

test(
  'a login by phone and code',
  answered(main, {
    state: 'a phone that was sent a code',
    path: '/Login/phoneLogin',
    form: { phone, code },
    data: loggedIn,
    call: () => logInByPhone(phone, code),
  }),
);

test(
  'a login to a dormant account',
  answered(main, {
    state: 'a dormant account and a code',
    path: '/Login/phoneLogin',
    form: { phone, code },
    data: { ...loggedIn, access: equal('limited') },
    call: () => logInByPhone(phone, code),
  }),
);

test(
  'a login with a wrong code',
  rejected(main, 'code_wrong', {
    state: 'a phone',
    path: '/Login/phoneLogin',
    form: { phone, code: '000000' },
    call: () => logInByPhone(phone, '000000'),
  }),
);

test(
  'the way to the messaging app',
  answered(main, {
    state: 'the catalogue',
    path: '/Login/wxlogin',
    form: { url: 'http://shop.test/quickLogin' },
    data: { url: regex('https?://.+', 'https://open.weixin.qq.com/connect/oauth2/authorize'), state: 'st' },
    call: () => startOAuth('http://shop.test/quickLogin'),
  }),
);

test(
  'the exchange of a code',
  answered(main, {
    state: 'a login at the messaging app',
    path: '/Login/getopenid',
    form: { code: 'c-1', state: 'st' },
    data: { openid: regex('.+', 'o-1'), yz_code: regex('.+', 'yz-1'), bound: equal(false) },
    call: () => finishOAuth('c-1', 'st'),
  }),
);

const identity = { openid: 'o-1', yz_code: 'yz-1' };

test(
  'quick login without a phone',
  answered(newmovie, {
    state: 'a proven identity without a phone',
    path: '/newmovie/seat/quicklogin',
    form: identity,
    data: { token: equal(''), uid: '', openid: regex('.+', 'o-1'), yz_code: regex('.+', 'yz-2') },
    call: () => quickLogIn('o-1', 'yz-1'),
  }),
);

test(
  'quick login without a proof',
  rejected(newmovie, 'openid_unproven', {
    state: noSession,
    path: '/newmovie/seat/quicklogin',
    form: { openid: 'o-stolen', yz_code: 'guessed' },
    call: () => quickLogIn('o-stolen', 'guessed'),
  }),
);

test(
  'the binding of a phone to an identity',
  answered(main, {
    state: 'a proven identity and a phone with a code',
    path: '/Login/wxbindingPhone',
    form: { phone, code, ...identity },
    data: { ...loggedIn, openid: regex('.+', 'o-1') },
    call: () => bindPhone({ phone, code, ...identity }),
  }),
);

test(
  'the binding of a phone without a proof',
  rejected(main, 'openid_unproven', {
    state: 'a phone that was sent a code',
    path: '/Login/wxbindingPhone',
    form: { phone, code, openid: 'o-stolen', yz_code: 'guessed' },
    call: () => bindPhone({ phone, code, openid: 'o-stolen', yz_code: 'guessed' }),
  }),
);

test(
  'the exchange of a login link',
  answered(main, {
    state: 'a login link',
    path: '/Login/linkLogin',
    form: { token: 'T9' },
    data: { ...loggedIn, phone: regex('1\\d{2}\\*{4}\\d{4}', '138****0000'), access: equal('link') },
    call: () => exchangeLinkToken('T9'),
  }),
);

test(
  'a logout',
  answered(main, {
    state: 'a logged-in buyer',
    path: '/Login/logout',
    form: { token: 'tok' },
    data: {},
    call: () => {
      session.logIn('tok');
      return logOut();
    },
  }),
);
