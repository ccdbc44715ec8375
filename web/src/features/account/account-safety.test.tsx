import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { findToast, renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import { openIDStorage } from '../../session/openid';
import { on } from '../../wire/events';
import type { ClosingPreview, Copy } from '../../wire/generated/shop';
import AccountSecurityScreen from './account-security-screen';
import CloseAccountScreen from './close-account-screen';
import ExportDataScreen from './export-data-screen';
import UnbindScreen from './unbind-screen';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  window.history.replaceState({ idx: 1 }, '', '/');
});

const security = { phone: '138****0001', wechat: true, has_password: true };
const answerSecurity = (more: Partial<typeof security> = {}) =>
  server.use(post('/Member/security', () => main.ok({ ...security, ...more })));

type Change = 'close' | 'endsession' | 'endsessions' | 'unbindphone' | 'unbindwechat';

/** Answers a call with success and records its fields. */
function records(path: `/Member/${Change}`) {
  const asked: Record<string, string>[] = [];
  server.use(
    post(path, (fields) => {
      asked.push(fields);
      return main.ok({});
    }),
  );
  return asked;
}

test.each([
  [{}, '138****0001', '已绑定', '已设置'],
  [{ phone: '', wechat: false, has_password: false }, '未绑定', '未绑定', '未设置'],
] as const)('the page of account and security shows how the account is opened: %j', async (more, phone, wechat, pass) => {
  answerSecurity(more);
  renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  for (const [title, value] of [
    ['手机号', phone],
    ['微信', wechat],
    ['支付密码', pass],
  ]) {
    const cell = await screen.findByRole('button', { name: new RegExp(`^${title}`) });
    expect(within(cell).getByText(value ?? '')).toBeVisible();
  }
});

test('the page lists the sessions and identities, and ends one session or all others', async () => {
  answerSecurity();
  const one = records('/Member/endsession');
  const others = records('/Member/endsessions');
  const user = userEvent.setup();
  renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  const here = (await screen.findByText('iPhone · 微信')).closest('.van-cell') as HTMLElement;
  expect(within(here).getByText('当前设备')).toBeVisible();
  expect(here).toHaveTextContent('203.0.113.* · 2026-05-01 09:30 登录');
  expect(here).toHaveTextContent('2026-05-01 12时使用');
  expect(screen.queryByRole('button', { name: /iPhone · 微信/ })).toBeNull();
  for (const name of [/^Windows · Edge/, '退出其他所有设备']) {
    await user.click(screen.getByRole('button', { name }));
    await user.click(await screen.findByRole('button', { name: '退出登录' }));
    expect(await findToast('已退出登录')).toBeVisible();
  }
  expect(one.map(({ id }) => id)).toEqual(['s2']);
  expect(others).toHaveLength(1);
  expect(screen.getByRole('button', { name: /^oMar\*\*\*\*0001.*未验证/ })).toBeVisible();
});

test('an identity without a code is verified in the messaging app, or removed by itself', async () => {
  answerSecurity();
  const user = userEvent.setup();
  const plain = renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  await user.click(await screen.findByRole('button', { name: /^oMar/ }));
  await user.click(await screen.findByRole('button', { name: '去验证' }));
  expect(await findToast('请在该微信中打开后验证')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^oMar/ }));
  await user.click(await screen.findByRole('button', { name: '解绑' }));
  await waitFor(() => expect(plain.where()).toBe('/unbind?what=wechat&openid=oMarquee_00000001'));
  plain.unmount();
  const removed = records('/Member/unbindwechat');
  renderScreen(<UnbindScreen />, '/unbind?what=wechat&openid=oMarquee_00000001');
  await user.type(await screen.findByLabelText('验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '确认解绑' }));
  await waitFor(() => expect(removed.map(({ openid }) => openid)).toEqual(['oMarquee_00000001']));
});

test.each([
  { stored: 'oMarquee_00000001', left: '' },
  { stored: 'oMarquee_00000002', left: 'oMarquee_00000002' },
])('of the identities $stored and oMarquee_00000001, only the one that is unbound is forgotten', async ({
  stored,
  left,
}) => {
  answerSecurity();
  records('/Member/unbindwechat');
  openIDStorage.set(stored);
  const user = userEvent.setup();
  const { where } = renderScreen(<UnbindScreen />, '/unbind?what=wechat&openid=oMarquee_00000001');
  await user.type(await screen.findByLabelText('验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '确认解绑' }));
  await waitFor(() => expect(where()).toBe('/accountSecurity'));
  expect(openIDStorage.get()).toBe(left);
});

test('the identity that is to be verified goes to the login that binds it by a code', async () => {
  answerSecurity();
  const proven = vi.fn();
  const unsubscribe = on('identityUnbound', proven);
  window.history.replaceState({ idx: 1 }, '', '/accountSecurity?verify=1&code=c-1&state=st');
  renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  await waitFor(() => expect(proven).toHaveBeenCalledWith(expect.objectContaining({ openid: 'o-1', yz_code: 'yz-1' })));
  expect(window.location.search).toBe('');
  unsubscribe();
});

test('the page shows an identity as bound that was bound while the shop answered slowly', async () => {
  let wechat = false;
  server.use(
    post('/Login/getopenid', async () => {
      await delay(50);
      wechat = true;
      return main.ok({ openid: 'o-1', yz_code: '', bound: true });
    }),
    post('/Member/security', async () => {
      const known = wechat; // the identity at the time when the shop reads the account
      await delay(200);
      return main.ok({ ...security, wechat: known });
    }),
  );
  window.history.replaceState({ idx: 1 }, '', '/accountSecurity?code=c-1&state=st');
  renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  expect(await screen.findByRole('button', { name: /^微信\s*已绑定/ })).toBeVisible();
});

test('a bound identity leads to its removal; in a plain browser none can be bound', async () => {
  const user = userEvent.setup();
  answerSecurity();
  const bound = renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  await user.click(await screen.findByRole('button', { name: /^微信/ }));
  expect(bound.where()).toBe('/unbind?what=wechat');
  bound.unmount();
  answerSecurity({ wechat: false });
  renderScreen(<AccountSecurityScreen />, '/accountSecurity');
  await user.click(await screen.findByRole('button', { name: /^微信/ }));
  expect(await screen.findByText('请在微信中打开后绑定')).toBeVisible();
});

test.each([
  { what: 'phone', path: '/Member/unbindphone', stored: 'o-1' },
  { what: 'wechat', path: '/Member/unbindwechat', stored: '' },
] as const)('unbinding of $what asks for a code, and forgets the stored identity only with it', async ({
  what,
  path,
  stored,
}) => {
  answerSecurity();
  const asked = records(path);
  openIDStorage.set('o-1');
  const user = userEvent.setup();
  const { where } = renderScreen(<UnbindScreen />, `/unbind?what=${what}`);
  await user.click(await screen.findByRole('button', { name: '确认解绑' }));
  expect(await screen.findByText('请输入验证码')).toBeVisible();
  await user.type(screen.getByLabelText('验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '确认解绑' }));
  await waitFor(() => expect(where()).toBe('/accountSecurity'));
  expect(asked).toEqual([expect.objectContaining({ token: 'tok', code: '123456' })]);
  expect(openIDStorage.get() ?? '').toBe(stored);
});

test('an identity that was unbound elsewhere is reported', async () => {
  answerSecurity();
  server.use(post('/Member/unbindwechat', () => main.reject('identity_unbound', '未绑定微信')));
  const user = userEvent.setup();
  const { where } = renderScreen(<UnbindScreen />, '/unbind?what=wechat');
  await user.type(await screen.findByLabelText('验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '确认解绑' }));
  expect(await screen.findByText('未绑定微信')).toBeVisible();
  expect(where()).toBe('/unbind?what=wechat');
});

test('an account without a phone is led to bind one before anything is unbound', async () => {
  answerSecurity({ phone: '' });
  renderScreen(<UnbindScreen />, '/unbind?what=wechat');
  expect(await screen.findByRole('button', { name: '绑定手机号' })).toBeVisible();
  expect(screen.queryByRole('button', { name: '确认解绑' })).toBeNull();
});

const closing: ClosingPreview = { unfinished: [], cards: 0, points: '0.00', vouchers: 0, phone: '138****0001' };
const answerClosing = (more: Partial<ClosingPreview>) =>
  server.use(post('/Member/closing', () => main.ok({ ...closing, ...more })));

test('orders that have not ended prevent the closing, each with its reason', async () => {
  answerClosing({ unfinished: [{ order_no: '202605010001', kind: 'ticket', reason: 'refunding' }] });
  const { where } = renderScreen(<CloseAccountScreen />, '/closeAccount');
  const row = await screen.findByRole('button', { name: /^长风渡/ });
  expect(within(row).getByText('正在退款')).toBeVisible();
  expect(screen.queryByRole('button', { name: '注销账号' })).toBeNull();
  await userEvent.click(row);
  expect(where()).toBe('/orderpage?id=202605010001');
});

test('an order that is not in the list of orders is named by its number', async () => {
  answerClosing({ unfinished: [{ order_no: '202605019999', kind: 'recharge', reason: 'undelivered' }] });
  renderScreen(<CloseAccountScreen />, '/closeAccount');
  expect(await screen.findByRole('button', { name: /^订单 202605019999/ })).toBeVisible();
});

test('an account is closed after what it loses was given up, a code was entered and the question answered', async () => {
  answerClosing({ cards: 2, points: '12.50', vouchers: 1 });
  const asked = records('/Member/close');
  const user = userEvent.setup();
  const { where, unmount } = renderScreen(<CloseAccountScreen />, '/closeAccount');
  const close = await screen.findByRole('button', { name: '注销账号' });
  expect(close).toHaveAttribute('aria-disabled', 'true');
  await user.type(screen.getByLabelText('验证码'), '123456');
  expect(close, 'what is lost is not given up yet').toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('checkbox'));
  await user.click(close);
  await user.click(await screen.findByRole('button', { name: '取消' }));
  expect(asked).toEqual([]);
  await user.click(close);
  await user.click(await screen.findByRole('button', { name: '确定' }));
  await waitFor(() => expect(asked).toEqual([expect.objectContaining({ points: '12.50', code: '123456' })]));
  await waitFor(() => expect(where()).not.toContain('closeAccount'));
  unmount();
  expect(localStorage.getItem('token')).toBeNull();
});

test('the copy of the personal data is shown, and can be saved completely', async () => {
  answerSecurity();
  const copy: Copy = {
    made_at: '2026-05-01T12:00:00+08:00',
    account: {
      id: 7,
      phone: '13800000001',
      created_at: '2026-01-01T00:00:00+08:00',
      has_payment_password: false,
      avatar_url: '',
      wechat_openids: [],
    },
    sessions: [
      {
        method: 'code',
        device: 'iPhone · 微信',
        network: '192.0.2.*',
        created_at: '2026-05-01T11:00:00+08:00',
        expires_at: '2026-05-31T11:00:00+08:00',
      },
    ],
    cards: [
      {
        number: '8019999910008014',
        type: '超级卡',
        status: 'active',
        points: '500.00',
        ends_at: '2027-05-01T11:00:00+08:00',
        bound_at: '2026-01-01T00:00:00+08:00',
        records: [],
      },
    ],
    orders: [
      {
        no: '202605010001',
        kind: 'ticket',
        title: '长风渡',
        state: 'issued',
        total: '88.00',
        created_at: '2026-05-01T11:30:00+08:00',
        payments: [],
        refunds: [],
      },
    ],
    events: [{ at: '2026-05-01T11:00:00+08:00', kind: 'login_device', by: 'buyer', address: '192.0.2.1' }],
  };
  const asked: Record<string, string>[] = [];
  server.use(
    post('/Member/export', (fields) => {
      asked.push(fields);
      return main.ok(copy);
    }),
  );
  const user = userEvent.setup();
  renderScreen(<ExportDataScreen />, '/exportData');
  await user.click(await screen.findByRole('button', { name: '获取副本' }));
  expect(await screen.findByText('请输入验证码')).toBeVisible();
  await user.type(screen.getByLabelText('验证码'), '123456');
  await user.click(screen.getByRole('button', { name: '获取副本' }));
  expect(await screen.findByText('超级卡')).toHaveTextContent('超级卡尾号8014');
  expect(screen.getByText('138****0001')).toBeVisible();
  expect(screen.queryByText(/13800000001|8019999910008014/)).toBeNull();
  expect(screen.getByText('长风渡')).toBeVisible();
  expect(screen.getByText('快捷登录')).toBeVisible();
  expect(screen.getByText('未绑定')).toBeVisible();
  expect(asked[0]).toMatchObject({ token: 'tok', code: '123456' });
  const saved = screen.getByRole('link', { name: '下载完整副本（JSON）' }).getAttribute('href') ?? '';
  expect(JSON.parse(decodeURIComponent(saved.slice(saved.indexOf(',') + 1)))).toEqual(copy);
});
