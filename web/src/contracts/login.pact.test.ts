import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, refused, some } from '../../test/pact';
import { main, newmovie } from '../../test/pact-shapes';
import { bindPhone, logInByPhone, quickLogIn } from '../features/account/log-in';
import { logOut } from '../features/account/log-out';
import { sendLoginCode } from '../features/account/send-login-code';
import { getPolicy } from '../features/content/get-policy';
import { exchangeLinkToken } from '../session/log-in-by-link';
import { finishOAuth, startOAuth } from '../session/oauth';
import { loginInfo } from '../shop/login-info';
import { session } from '../wire/session';

const { integer, like, regex } = MatchersV3;
const phone = some('13800000000', '1\\d{10}');
const code = some('123456', '\\d{6}');
const noSession = 'no session';

const loggedIn = (openid: unknown) => ({
  token: regex('.+', 'tok-1'),
  uid: regex('.+', '1'),
  openid,
  yz_code: like(''),
});

beforeEach(() => session.logOut());

test('the picture of the login page and where customer service is', async () => {
  const answer = main.says({ weblogo: regex('.+', '/favicon.svg'), zxkf: regex('.+', 'https://service.test/') });
  const info = await exchange({ state: noSession, what: 'login info', path: '/Login/index', answer }, () =>
    loginInfo(),
  );
  expect(info.zxkf).toBe('https://service.test/');
});

test.each([
  [1, 'the privacy policy'],
  [2, 'the rules of use'],
] as const)('text %i is %s', async (id, what) => {
  const answer = main.says({ title: regex('.+', '隐私政策'), content: regex('[\\s\\S]*<[\\s\\S]+', '<p>正文</p>') });
  const policy = await exchange(
    { state: noSession, what, path: '/Login/single', form: { id: String(id) }, answer },
    () => getPolicy(id),
  );
  expect(policy.content).toBe('<p>正文</p>');
});

test('a code for a phone', async () => {
  const answer = main.says({ wait: integer(60) });
  const sent = await exchange(
    { state: 'a phone', what: 'a code for a phone', path: '/Login/sendcode', form: { phone }, answer },
    () => sendLoginCode('13800000000'),
  );
  expect(sent.wait).toBe(60);
});

test('another code within a minute is refused', async () => {
  await exchange(
    {
      state: 'a phone that was just sent a code',
      what: 'another code within a minute',
      path: '/Login/sendcode',
      form: { phone },
      answer: { ...main.denies('sms_limited'), data: { wait: integer(41) } },
    },
    () =>
      expect(sendLoginCode('13800000000')).rejects.toMatchObject({
        error: 'sms_limited',
        data: { wait: 41 },
      }),
  );
});

test('a code for something that is no phone is refused', async () => {
  await refused(main, 'phone_invalid', {
    state: noSession,
    what: 'a code for something that is no phone',
    path: '/Login/sendcode',
    form: { phone: '12345' },
    call: () => sendLoginCode('12345'),
  });
});

test('a login by phone and code', async () => {
  const login = await exchange(
    {
      state: 'a phone that was sent a code',
      what: 'a login by phone and code',
      path: '/Login/phoneLogin',
      form: { phone, code },
      answer: main.says(loggedIn(like(''))),
    },
    () => logInByPhone('13800000000', '123456'),
  );
  expect(login.token).toBe('tok-1');
});

test('a login with a wrong code is refused', async () => {
  await refused(main, 'code_wrong', {
    state: 'a phone',
    what: 'a login with a wrong code',
    path: '/Login/phoneLogin',
    form: { phone, code: '000000' },
    call: () => logInByPhone('13800000000', '000000'),
  });
});

test('where the messaging app names its user', async () => {
  const answer = main.says({
    url: regex('https?://.+', 'https://open.weixin.qq.com/connect/oauth2/authorize'),
    state: regex('.+', 'st'),
  });
  const start = await exchange(
    {
      state: 'the catalogue',
      what: 'the way to the messaging app',
      path: '/Login/wxlogin',
      form: { url: some('http://shop.test/quickLogin') },
      answer,
    },
    () => startOAuth('http://shop.test/quickLogin'),
  );
  expect(start.state).toBe('st');
});

test('the way back to a foreign site is refused', async () => {
  await refused(main, 'url_not_allowed', {
    state: noSession,
    what: 'the way to the messaging app and back to a foreign site',
    path: '/Login/wxlogin',
    form: { url: 'https://evil.test/' },
    call: () => startOAuth('https://evil.test/'),
  });
});

test('the code of the messaging app becomes an identity', async () => {
  const identity = await exchange(
    {
      state: 'a login at the messaging app',
      what: 'the exchange of a code',
      path: '/Login/getopenid',
      form: { code: some('c-1'), state: some('st') },
      answer: main.says({ openid: regex('.+', 'o-1'), yz_code: regex('.+', 'yz-1'), bound: false }),
    },
    () => finishOAuth('c-1', 'st'),
  );
  expect(identity).toEqual({ openid: 'o-1', yz_code: 'yz-1', bound: false });
});

test("a code that did not come out of the shop's own login is refused", async () => {
  await refused(main, 'oauth_state_invalid', {
    state: noSession,
    what: 'the exchange of a code that the shop did not ask for',
    path: '/Login/getopenid',
    form: { code: 'stolen', state: 'unknown' },
    call: () => finishOAuth('stolen', 'unknown'),
  });
});

const identity = { openid: some('o-1'), yz_code: some('yz-1') };

test('quick login of an identity without a phone gives the proof and no token', async () => {
  const answer = newmovie.says({ token: '', uid: like(''), openid: regex('.+', 'o-1'), yz_code: regex('.+', 'yz-2') });
  const login = await exchange(
    {
      state: 'a proven identity without a phone',
      what: 'quick login without a phone',
      path: '/newmovie/seat/quicklogin',
      form: identity,
      answer,
    },
    () => quickLogIn('o-1', 'yz-1'),
  );
  expect(login).toMatchObject({ token: '', yz_code: 'yz-2' });
});

test('quick login with an openid without a proof is refused', async () => {
  await refused(newmovie, 'openid_unproven', {
    state: noSession,
    what: 'quick login without a proof',
    path: '/newmovie/seat/quicklogin',
    form: { openid: 'o-stolen', yz_code: 'guessed' },
    call: () => quickLogIn('o-stolen', 'guessed'),
  });
});

test('a phone is bound to a proven identity', async () => {
  const login = await exchange(
    {
      state: 'a proven identity and a phone with a code',
      what: 'the binding of a phone to an identity',
      path: '/Login/wxbindingPhone',
      form: { phone, code, ...identity },
      answer: main.says(loggedIn(regex('.+', 'o-1'))),
    },
    () => bindPhone({ phone: '13800000000', code: '123456', openid: 'o-1', yz_code: 'yz-1' }),
  );
  expect(login).toMatchObject({ token: 'tok-1', openid: 'o-1' });
});

test('a phone is not bound to an identity without a proof', async () => {
  await exchange(
    {
      state: 'a phone that was sent a code',
      what: 'the binding of a phone without a proof',
      path: '/Login/wxbindingPhone',
      form: { phone, code, openid: 'o-stolen', yz_code: 'guessed' },
      answer: main.denies('openid_unproven'),
    },
    () =>
      expect(
        bindPhone({ phone: '13800000000', code: '123456', openid: 'o-stolen', yz_code: 'guessed' }),
      ).rejects.toMatchObject({
        error: 'openid_unproven',
      }),
  );
});

test('the session token of a link becomes a session of this browser', async () => {
  const login = await exchange(
    {
      state: 'a login link',
      what: 'the exchange of a login link',
      path: '/Login/linkLogin',
      form: { token: some('T9') },
      answer: main.says({
        token: regex('.+', 'tok-1'),
        uid: regex('.+', '1'),
        phone: regex('1\\d{2}\\*{4}\\d{4}', '138****0000'),
        access: 'link',
      }),
    },
    () => exchangeLinkToken('T9'),
  );
  expect(login).toEqual({ token: 'tok-1', uid: '1', phone: '138****0000', access: 'link' });
});

test('a link with a token of no session is refused', async () => {
  await refused(main, 'link_token_invalid', {
    state: noSession,
    what: 'the exchange of an unknown login link',
    path: '/Login/linkLogin',
    form: { token: 'unknown' },
    call: () => exchangeLinkToken('unknown'),
  });
});

test('logout revokes the token', async () => {
  session.logIn('tok');
  await exchange(
    {
      state: 'a logged-in buyer',
      what: 'a logout',
      path: '/Login/logout',
      form: { token: some('tok') },
      answer: main.says(like({})),
    },
    () => logOut(),
  );
});
