import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, type Mock, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { findToast, renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import { carriedIdentity } from '../../session/carried-identity';
import { config } from '../../wire/config';
import { session } from '../../wire/session';
import LoginScreen from './login-screen';

beforeEach(() => server.use(...shop));

const renderLogin = (query = '') => renderScreen(<LoginScreen />, `/login${query}`);
const phone = () => screen.getByLabelText('手机号');
const code = () => screen.getByLabelText('验证码');
const agreement = () => screen.getByRole('checkbox');
const submit = () => screen.getByRole('button', { name: '登录' });

/** Opens the login and asks for a code. */
async function askCode(number = '13800000000', user = userEvent.setup()) {
  renderLogin();
  await user.type(phone(), number);
  await user.click(screen.getByRole('button', { name: '获取验证码' }));
  return user;
}

test('login by phone and code stores the token, says 登录成功 and goes on', async () => {
  let sent: Record<string, string> = {};
  server.use(
    post('/Login/phoneLogin', (fields) => {
      sent = fields;
      return main.ok({ token: 'tok-1', uid: '77', openid: '', yz_code: '' });
    }),
  );
  const user = userEvent.setup();
  const { where } = renderLogin();
  await user.type(phone(), '13800000000');
  await user.type(code(), '123456');
  await user.click(agreement());
  await user.click(submit());
  expect(await screen.findByText('登录成功')).toBeVisible();
  expect(sent).toMatchObject({ phone: '13800000000', code: '123456' });
  expect(localStorage.getItem('token')).toBe('tok-1');
  expect(session.account()).toBe('77');
  await waitFor(() => expect(where()).toBe('/index'));
});

test.each([
  '139 1111 0009',
  '139-1111-0009',
  ' 139\u00a01111–0009 ',
])('a number pasted in groups is taken: %s', async (typed) => {
  const user = userEvent.setup();
  renderLogin();
  await user.click(phone());
  await user.paste(typed);
  expect(phone()).toHaveValue('13911110009');
});

test('the login says what is missing: phone, code and agreement, one after the other', async () => {
  const sent = vi.fn(() => main.reject('internal', '系统繁忙，请稍后再试'));
  server.use(post('/Login/phoneLogin', sent));
  const user = userEvent.setup();
  renderLogin();
  const missing = async (words: string, field: HTMLElement) => {
    expect(submit()).toHaveAttribute('aria-disabled', 'true');
    expect(submit()).toHaveAccessibleDescription(words);
    expect(screen.getAllByText(words), 'it is shown once before the press').toHaveLength(1);
    submit().focus();
    expect(submit()).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await findToast(words)).toBeVisible();
    expect(field).toHaveFocus();
  };
  await missing('请输入正确的手机号', phone());
  await user.type(phone(), '13800000000');
  await missing('请输入验证码', code());
  await user.type(code(), '123456');
  await missing('请阅读并勾选用户协议', agreement());
  expect(sent).not.toHaveBeenCalled();
  await user.click(agreement());
  expect(submit()).not.toHaveAttribute('aria-disabled');
  expect(submit()).not.toHaveAccessibleDescription();
});

test('Enter in a field of the login says what is missing', async () => {
  const user = userEvent.setup();
  renderLogin();
  await user.type(code(), '123456{Enter}');
  expect(await findToast('请输入正确的手机号')).toBeVisible();
  expect(phone()).toHaveFocus();
});

test('an invalid phone gets no code: 请输入正确手机号', async () => {
  const sent = vi.fn(() => main.ok({ wait: 60 }));
  server.use(post('/Login/sendcode', sent));
  await askCode('12800000000');
  expect(await screen.findByText('请输入正确手机号')).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
});

test('after a send the button counts 60 s down and then returns to normal', async () => {
  stopClock();
  renderLogin();
  fireEvent.change(phone(), { target: { value: '13800000000' } });
  fireEvent.click(screen.getByRole('button', { name: '获取验证码' }));
  await eventually(() => expect(screen.getByRole('button', { name: '60s后重新获取' })).toBeDisabled());
  await pass(30_000);
  expect(screen.getByRole('button', { name: '30s后重新获取' })).toBeDisabled();
  await pass(29_999);
  expect(screen.getByRole('button', { name: '1s后重新获取' })).toBeDisabled();
  await pass(1);
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeEnabled();
});

test('a rejected code shows the message of the shop and starts no countdown', async () => {
  server.use(post('/Login/sendcode', () => main.reject('sms_limited', '发送过于频繁，请稍后再试')));
  await askCode();
  expect(await screen.findByText('发送过于频繁，请稍后再试')).toBeVisible();
  expect(code()).toHaveAccessibleDescription('发送过于频繁，请稍后再试');
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeEnabled();
});

test.each([
  { result: { ret: 0, ticket: 't03', randstr: '@r' }, requests: 2, says: '验证码已发送' },
  { result: { ret: 2, ticket: null }, requests: 1, says: '请先完成安全验证' },
])('a challenge that the shop asks for is shown: $result.ret', async ({ result, requests, says }) => {
  const asked: Record<string, string>[] = [];
  server.use(
    post('/Login/sendcode', (fields) => {
      asked.push(fields);
      return fields.ticket ? main.ok({ wait: 60 }) : main.reject('challenge_required', '请先完成安全验证');
    }),
  );
  config.captcha = { appId: '190000001', script: 'https://captcha.example/script.js' };
  window.TencentCaptcha = class {
    constructor(
      private appId: string,
      private callback: (shown: typeof result) => void,
    ) {}
    show() {
      if (this.appId === '190000001') this.callback(result);
    }
  };
  try {
    await askCode();
    expect(await screen.findByText(says)).toBeVisible();
  } finally {
    config.captcha = undefined;
    window.TencentCaptcha = undefined;
  }
  expect(asked).toHaveLength(requests);
  if (requests === 2) expect(asked[1]).toMatchObject({ phone: '13800000000', ticket: 't03', randstr: '@r' });
});

test.each([
  { vendor: 'down for the shop too', accepted: true, says: '验证码已发送' },
  { vendor: 'reached by the shop', accepted: false, says: '安全验证加载失败，请检查网络后重试' },
])('a challenge whose script does not load: the vendor is $vendor', async ({ accepted, says }) => {
  const asked: Record<string, string>[] = [];
  server.use(
    post('/Login/sendcode', (fields) => {
      asked.push(fields);
      if (!fields.ticket) return main.reject('challenge_required', '请先完成安全验证');
      return accepted ? main.ok({ wait: 60 }) : main.reject('challenge_failed', '安全验证未通过，请重试');
    }),
  );
  config.captcha = { appId: '190000001', script: 'https://captcha.example/script.js' };
  const append = vi.spyOn(document.head, 'append').mockImplementation((script) => {
    queueMicrotask(() => (script as HTMLScriptElement).dispatchEvent(new Event('error')));
  });
  try {
    await askCode();
    expect(await screen.findByText(says)).toBeVisible();
  } finally {
    config.captcha = undefined;
    append.mockRestore();
  }
  expect(asked[1]?.ticket).toMatch(/^terror_1001_190000001_\d{10}$/);
});

test('a code requested too soon counts down the remaining wait of the shop', async () => {
  server.use(post('/Login/sendcode', () => main.reject('sms_limited', '发送过于频繁，请稍后再试', { wait: 42 })));
  await askCode();
  expect(await screen.findByText('发送过于频繁，请稍后再试')).toBeVisible();
  expect(screen.getByRole('button', { name: /^4[12]s后重新获取$/ })).toBeDisabled();
});

test('a limit of an hour or a day says at the field when it ends, and counts no seconds', async () => {
  server.use(
    post('/Login/sendcode', () =>
      main.reject('sms_limited', '发送过于频繁，请稍后再试', {
        wait: 3000,
        until: Date.parse('2026-11-24T09:05:00+08:00') / 1000,
      }),
    ),
  );
  await askCode();
  const message = /^发送过于频繁，请稍后再试（今天\s09:05\s后可重新获取）$/;
  expect(await screen.findByText(message)).toBeVisible();
  expect(code()).toHaveAccessibleDescription(message);
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeEnabled();
});

/** Fills in the login form, follows the link to the policy and goes back in the history after `delay` milliseconds. */
async function readPolicyAndReturn(delay: number) {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  window.history.replaceState({ usr: { from: '/orderInfo?tabIndex=1' }, key: 'a', idx: 0 }, '', '/login');
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BrowserRouter>
        <Routes>
          <Route path="/login" element={<LoginScreen />} />
          <Route path="/yinsizhengce" element={<p>正文</p>} />
          <Route path="*" element={null} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>,
  );
  await user.type(phone(), '13800000000');
  await user.type(code(), '123456');
  await user.click(agreement());
  await user.click(screen.getByRole('link', { name: '《隐私政策》' }));
  await screen.findByText('正文');
  await act(() => vi.advanceTimersByTimeAsync(delay));
  act(() => window.history.back());
  await screen.findByRole('button', { name: '登录' });
  return user;
}

test('returning from the policy restores the form, and the login leads to the requested page', async () => {
  const user = await readPolicyAndReturn(4 * 60_000);
  expect(phone()).toHaveValue('13800000000');
  expect(code()).toHaveValue('123456');
  expect(agreement()).toBeChecked();
  await user.click(submit());
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe('/orderInfo?tabIndex=1'));
  expect(JSON.stringify(window.history.state)).not.toContain('13800000000');
});

test('a code that has expired is not restored to the form', async () => {
  await readPolicyAndReturn(5 * 60_000);
  expect(phone()).toHaveValue('13800000000');
  expect(code()).toHaveValue('');
});

test('a wrong code shows the message of the shop and does not log in', async () => {
  server.use(post('/Login/phoneLogin', () => main.reject('code_wrong', '验证码错误或已过期', { tries_left: 4 })));
  const user = userEvent.setup();
  const { where } = renderLogin();
  await user.type(phone(), '13800000000');
  await user.type(code(), '000000');
  await user.click(agreement());
  await user.click(submit());
  expect(await screen.findByText('验证码错误或已过期，还可尝试 4 次')).toBeVisible();
  expect(code()).toHaveAccessibleDescription('验证码错误或已过期，还可尝试 4 次');
  expect(phone()).toHaveAccessibleDescription('');
  await user.type(code(), '{Backspace}');
  expect(code()).toHaveAccessibleDescription('');
  expect(localStorage.getItem('token')).toBeNull();
  await waitFor(() => expect(where()).toBe('/login'));
});

test('the error of a code ends with the next code that is sent', async () => {
  server.use(post('/Login/phoneLogin', () => main.reject('code_locked', '验证码错误次数过多，请重新获取')));
  const user = userEvent.setup();
  renderLogin();
  await user.type(phone(), '13800000000');
  await user.type(code(), '000000');
  await user.click(agreement());
  await user.click(submit());
  await waitFor(() => expect(code()).toHaveAccessibleDescription('验证码错误次数过多，请重新获取'));
  await user.click(screen.getByRole('button', { name: '获取验证码' }));
  await waitFor(() => expect(code()).toHaveAccessibleDescription(''));
});

test('login links to the privacy policy and the usage rules', async () => {
  renderLogin();
  expect(screen.getByRole('link', { name: '《隐私政策》' })).toHaveAttribute('href', '/yinsizhengce');
  expect(screen.getByRole('link', { name: '《用户协议》' })).toHaveAttribute('href', '/useexplain');
});

/** Opens the login with a carried identity, fills in the form and sends it. */
async function bindIdentity() {
  carriedIdentity.set({ openid: 'oMarquee_00000001', yz_code: 'yz-1' });
  const user = userEvent.setup();
  const view = renderLogin('?isphone=1');
  await user.type(phone(), '13800000000');
  await user.type(code(), '123456');
  await user.click(agreement());
  const said = screen.getByText(/将绑定微信/).textContent;
  await user.click(screen.getByRole('button', { name: '绑定并登录' }));
  return { ...view, user, said };
}
const bound = { token: 'tok-2', uid: '1', openid: 'oMarquee_00000001', yz_code: '' };
const sentBy = (call: Mock<(form: Record<string, string>) => unknown>) =>
  call.mock.calls.map(([form]) => [form.phone, form.code, form.openid, form.yz_code, form.further]);

test('login with a carried identity binds the phone to it, and says whose it is and whose account', async () => {
  const binds = vi.fn((_: Record<string, string>) => main.ok(bound));
  server.use(post('/Login/wxbindingPhone', binds));
  const { where, said } = await bindIdentity();
  expect(said).toMatch(/将绑定微信 oMar\*\*\*\*0001，它以后可以登录账号 138\*\*\*\*0000/);
  await waitFor(() => expect(where()).toBe('/index'));
  expect(sentBy(binds)).toEqual([['13800000000', '123456', 'oMarquee_00000001', 'yz-1', undefined]]);
  expect(localStorage.getItem('token')).toBe('tok-2');
  expect(carriedIdentity.get()).toBeUndefined();
});

test.each([true, false])('an account with another identity is asked first: %s', async (agrees) => {
  const binds = vi.fn(({ further }: Record<string, string>) =>
    further === '1' ? main.ok(bound) : main.reject('identity_further', '该账号已绑定其他微信，请确认是否再绑定一个'),
  );
  server.use(post('/Login/wxbindingPhone', binds));
  const { user, where } = await bindIdentity();
  const dialog = within(await screen.findByRole('alertdialog', { name: '再绑定一个微信？' }));
  expect(dialog.getByText(/账号 138\*\*\*\*0000 已绑定其他微信。.*oMar\*\*\*\*0001/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: agrees ? '再绑定' : '不绑定' }));
  if (agrees) await waitFor(() => expect(where()).toBe('/index'));
  else await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sentBy(binds).map((form) => form[4])).toEqual(agrees ? [undefined, '1'] : [undefined]);
  expect(localStorage.getItem('token')).toBe(agrees ? 'tok-2' : null);
});

test.each([
  ['proof_other_browser', '微信授权只在原浏览器有效，请在此重新授权'],
  ['openid_unproven', '微信身份已过期，请重新登录'],
] as const)('a proof that is not valid here (%s) is dropped; the messaging app is asked again', async (error, message) => {
  server.use(post('/Login/wxbindingPhone', () => main.reject(error, message)));
  const outside = await bindIdentity();
  expect(await screen.findByText(message)).toBeVisible();
  await waitFor(() => expect(outside.where()).toBe('/login'));
  expect(screen.getByRole('heading', { name: '登录' })).toBeVisible();
  expect(phone()).toHaveValue('13800000000');
  outside.unmount();

  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
  const { where } = await bindIdentity();
  await waitFor(() => expect(where()).toBe('/quickLogin'));
  expect(carriedIdentity.get()).toBeUndefined();
});

test('an identity of another person is not bound: the login goes on without it', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
  carriedIdentity.set({ openid: 'oMarquee_00000001', yz_code: 'yz-1' });
  const user = userEvent.setup();
  const { where } = renderLogin('?isphone=1');
  await user.click(screen.getByRole('button', { name: '这不是我的微信，仅登录' }));
  await waitFor(() => expect(where()).toBe('/login'));
  expect(screen.getByRole('button', { name: '登录' })).toBeVisible();
  expect(carriedIdentity.get()).toBeUndefined();
});

test('the login shares its plain address', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
  const shared = vi.spyOn(await import('../../session/share-card'), 'setShareCard').mockResolvedValue();
  carriedIdentity.set({ openid: 'oMarquee_00000001', yz_code: 'yz-1' });
  renderLogin('?isphone=1');
  await waitFor(() => expect(shared).toHaveBeenCalledWith(expect.objectContaining({ title: '登录', path: '/login' })));
});

test('leaving before the shop has answered logs in without a redirect', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    post('/Login/phoneLogin', async () => {
      await held;
      return main.ok({ token: 'tok-1', uid: '1', openid: '', yz_code: '' });
    }),
  );
  window.history.replaceState({ idx: 1 }, '', '/');
  const user = userEvent.setup();
  const { where } = renderLogin();
  await user.type(phone(), '13800000000');
  await user.type(code(), '123456');
  await user.click(agreement());
  await user.click(submit());
  await user.click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(where()).toBe('/before'));
  answer();
  expect(await screen.findByText('登录成功')).toBeVisible();
  expect(localStorage.getItem('token')).toBe('tok-1');
  expect(where()).toBe('/before');
});
