import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { afternoon, bridgeParams, card, filmCard, legacyOrder, newOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import PaymentScreen from './payment-screen';

type Form = Record<string, string>;
const movie = (op: string) => `/movie/route/Movie/${op}`;
const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: afternoon * 1000 });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  // One page of ours lies behind this one.
  window.history.replaceState({ idx: 1 }, '', '/');
});
afterEach(() => {
  delete window.WeixinJSBridge;
  window.history.replaceState(null, '', '/');
});

function open(payable: object = {}) {
  server.use(
    post(movie('jsordershow'), () =>
      main.ok({ order: legacyOrder, time: afternoon, has_password: true, openid: 'o-1', ...payable }),
    ),
  );
  return renderScreen(<PaymentScreen />, '/paymentpage?order=202605010001');
}

function inApp(word: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
  const invoke = vi.fn((_name: string, _params: unknown, done: (result: { err_msg?: string }) => void) =>
    done({ err_msg: `get_brand_wcpay_request:${word}` }),
  );
  window.WeixinJSBridge = { invoke };
  return invoke;
}

const ends = (orderstatus: string | number) =>
  server.use(
    post(movie('pay_success'), ({ order_no }) =>
      main.ok({
        order_no,
        orderstatus,
        type: 1,
        order: typeof orderstatus === 'string' ? { ...legacyOrder, orderstatus } : { ...newOrder, orderstatus },
      }),
    ),
  );

const payButton = () => screen.findByRole('button', { name: '确认支付' });

async function pickCards(...names: RegExp[]) {
  await user().click(await screen.findByRole('button', { name: /福利卡.*(可用|已选)/ }));
  for (const name of names) await user().click(await screen.findByRole('checkbox', { name }));
  await user().click(screen.getByRole('button', { name: '确定' }));
}

async function typePassword(digits: string) {
  const keys = within(await screen.findByRole('group', { name: '数字键盘' }));
  for (const digit of digits) await user().click(keys.getByText(digit));
}

test('the page shows the order, who pays what and how long it waits', async () => {
  open();
  expect(await screen.findByText('长风渡')).toBeVisible();
  expect(screen.getByText('5排6座 5排7座')).toBeVisible();
  expect(screen.getByRole('timer')).toHaveTextContent('14:00');
  expect(await screen.findByText('微信支付 ¥85.80')).toBeVisible();
  expect(screen.getByText(/不支持退票、不支持改签/)).toBeVisible();
});

test("the countdown runs from expiretime by the shop's clock, whatever the phone says", async () => {
  vi.setSystemTime((afternoon + 4 * 3600) * 1000);
  open();
  expect(await screen.findByRole('timer')).toHaveTextContent('14:00');
});

test('at zero the countdown says 订单过期 and goes home', async () => {
  const { where } = open({ order: { ...legacyOrder, expiretime: afternoon + 5 } });
  await screen.findByRole('timer');
  await act(() => vi.advanceTimersByTimeAsync(5200));
  expect(await screen.findByText('订单过期')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await waitFor(() => expect(where()).toBe('/index'));
});

test('an order that is not found says 订单已失效 and goes back', async () => {
  server.use(post(movie('jsordershow'), () => main.refuse('order_not_found', '订单已失效')));
  const { where } = renderScreen(<PaymentScreen />, '/paymentpage?order=nope');
  expect(await screen.findByText('订单已失效')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/before'));
});

test.each([
  ['E', '订单过期', '/index'],
  ['C', '订单已失效', '/before'],
])('an order already %s says %s', async (orderstatus, words, to) => {
  const { where } = open({ order: { ...legacyOrder, orderstatus } });
  expect(await screen.findByText(words)).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe(to));
});

test('an order that is paid already is shown instead', async () => {
  const { where } = open({ order: { ...legacyOrder, orderstatus: 'P' } });
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
});

test('paying without choosing a method says 请选择支付方式', async () => {
  open();
  await user().click(await payButton());
  expect(await screen.findByText('请选择支付方式')).toBeVisible();
});

test('cards that cover only a part still need a method for the rest', async () => {
  open();
  await pickCards(/电影卡/);
  expect(await screen.findByText('福利卡 50.00 点 + 微信支付 ¥35.80')).toBeVisible();
  await user().click(await payButton());
  expect(await screen.findByText('请选择支付方式')).toBeVisible();
});

test("the messaging app's payment outside of it says 请使用微信打开进行支付", async () => {
  open();
  await user().click(await screen.findByRole('checkbox', { name: /微信支付/ }));
  await user().click(await payButton());
  expect(await screen.findByText('请使用微信打开进行支付')).toBeVisible();
});

test('cards alone: the sixth digit sends the payment, 支付成功！, and the orders are shown', async () => {
  const paid = vi.fn(({ oid }: Form) => main.ok({ order_no: oid, orderstatus: 'P' }));
  server.use(post(movie('flkpay'), paid));
  const { where } = open();
  await pickCards(/超级卡/);
  expect(await screen.findByText('福利卡 85.80 点')).toBeVisible();
  expect(screen.getByText('无需支付')).toBeVisible();
  await user().click(await payButton());
  await typePassword('24681');
  expect(paid).not.toHaveBeenCalled();
  await typePassword('0');
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', oid: '202605010001', ka_ids: 'k1', pass: '246810' });
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('the password can be typed on a keyboard as well', async () => {
  const paid = vi.fn(({ oid }: Form) => main.ok({ order_no: oid, orderstatus: 'P' }));
  server.use(post(movie('flkpay'), paid));
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await user().type(await screen.findByLabelText('支付密码'), '246810');
  await waitFor(() => expect(paid).toHaveBeenCalledTimes(1));
});

test('several cards are named with what each of them gives', async () => {
  open();
  await pickCards(/电影卡/, /超级卡/);
  const given = await screen.findByRole('list', { name: '福利卡抵扣' });
  expect(
    within(given)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['电影卡（尾号5678）50.00 点'.replace(' 点', '\u2009点'), '超级卡（尾号1234）35.80\u2009点']);
});

test('a wrong payment password is told at the field, and one can type again', async () => {
  let tries = 0;
  server.use(
    post(movie('flkpay'), ({ oid }) => {
      tries += 1;
      return tries === 1
        ? main.refuse('payment_password_wrong', '支付密码错误')
        : main.ok({ order_no: oid, orderstatus: 'P' });
    }),
  );
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('111111');
  expect(await screen.findByText('支付密码错误')).toBeVisible();
  expect(where()).toContain('/paymentpage');
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a card payment the shop refuses says 支付失败！ and why', async () => {
  server.use(post(movie('flkpay'), () => main.refuse('points_insufficient', '卡内余额不足')));
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  expect(await screen.findByText('支付失败！')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('卡内余额不足');
  expect(where()).toContain('/paymentpage');
});

test('without a payment password the way leads to setting one', async () => {
  const { where } = open({ has_password: false });
  await pickCards(/超级卡/);
  await user().click(await payButton());
  const dialog = await screen.findByRole('alertdialog', { name: '尚未设置支付密码' });
  await user().click(within(dialog).getByRole('button', { name: '去设置' }));
  await waitFor(() => expect(where()).toBe('/payPassword'));
  expect(JSON.parse(sessionStorage.getItem('pay 202605010001') ?? '')).toMatchObject({ cards: ['k1'] });
});

test("in the messaging app its payment is chosen already, and the bridge gets the shop's parameters", async () => {
  const invoke = inApp('ok');
  ends('P');
  const prepared = vi.fn(({ oid }: Form) =>
    main.ok({
      jsApiParameters: {
        appId: 'wx1',
        timeStamp: '1',
        nonceStr: 'n',
        package: 'prepay_id=1',
        signType: 'RSA',
        paySign: 's',
      },
      order_no: oid,
    }),
  );
  server.use(post(movie('wxpay'), prepared));
  const { where } = open();
  expect(await screen.findByRole('checkbox', { name: /微信支付/ })).toBeChecked();
  await user().click(await payButton());
  expect(await screen.findByText('支付成功')).toBeVisible();
  expect(invoke).toHaveBeenCalledWith(
    'getBrandWCPayRequest',
    expect.objectContaining({ package: 'prepay_id=1' }),
    expect.any(Function),
  );
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({ ka_ids: '', openid: 'o-1', pass: '', wxprice: '85.80' });
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('both: cards give their part after the password, the messaging app pays the rest', async () => {
  inApp('ok');
  ends('P');
  const prepared = vi.fn(({ oid }: Form) =>
    main.ok({
      jsApiParameters: {
        appId: 'wx1',
        timeStamp: '1',
        nonceStr: 'n',
        package: 'prepay_id=1',
        signType: 'RSA',
        paySign: 's',
      },
      order_no: oid,
    }),
  );
  server.use(post(movie('wxpay'), prepared));
  const { where } = open();
  await pickCards(/电影卡/);
  await screen.findByText('福利卡 50.00 点 + 微信支付 ¥35.80');
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({ ka_ids: 'k2', pass: '246810', wxprice: '35.80' });
});

test('a bridge that fails, and an order that stays unpaid, say 支付失败', async () => {
  inApp('fail');
  ends('N');
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('支付失败')).toBeVisible();
  expect(where()).toContain('/paymentpage');
});

test('leaving the pay sheet says 支付失败 of an order that still waits, and that its seats are kept', async () => {
  inApp('cancel');
  ends('N');
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('支付失败')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('您取消了付款，座位仍为您保留');
  expect(where()).toContain('/paymentpage');
});

test('too late for the messaging app: the page stays and says so, and the cards still pay', async () => {
  inApp('ok');
  server.use(post(movie('wxpay'), () => main.refuse('too_late_for_app', '剩余时间不足，请使用福利卡支付')));
  const { where } = open();
  await user().click(await payButton());
  expect(await screen.findByRole('alert')).toHaveTextContent('剩余时间不足，请使用福利卡支付');
  expect(screen.queryByText('支付失败')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(where()).toContain('/paymentpage');
  await pickCards(/超级卡/);
  await screen.findByText('福利卡 85.80 点');
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test("a bridge that says cancel although the money moved: the shop's state decides", async () => {
  inApp('cancel');
  ends('P');
  const { where } = open();
  await user().click(await payButton());
  expect(await screen.findByText('支付成功')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a bridge that says ok before the shop has seen the money claims nothing', async () => {
  inApp('ok');
  ends('N');
  const { where } = open();
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(8900));
  expect(await screen.findByText('支付结果确认中，请稍候')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test.each([
  ['C', '已取消'],
  ['E', '订单已过期'],
  ['P', '支付成功'],
  ['T', '通知处理中'],
  ['S', '出票成功'],
  ['F', '出票失败，等待退款'],
  ['R', '退款完成'],
  [1, '支付成功'],
  [4, '出票成功'],
  [7, '出票失败(退款)'],
  [8, '超时未付'],
  [11, '正在出票'],
])('a payment that leaves the order at %s says %s', async (orderstatus, words) => {
  inApp('ok');
  ends(orderstatus);
  open();
  await user().click(await payButton());
  expect(await screen.findByText(words)).toBeVisible();
});

test.each([
  ['N', legacyOrder],
  [0, newOrder],
])('a payment that leaves the order at %s says 支付失败', async (orderstatus, order) => {
  inApp('cancel');
  ends(orderstatus);
  open({ order });
  await user().click(await payButton());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('支付失败')).toBeVisible();
});

test('a payment whose answer is lost is looked up before anything is said', async () => {
  server.use(post(movie('flkpay'), () => Response.error()));
  ends('P');
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(screen.queryByText('支付失败！')).toBeNull();
});

test('an order that expired meanwhile says 订单过期 and goes home', async () => {
  server.use(post(movie('flkpay'), () => main.refuse('order_expired', '订单已过期')));
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  expect(await screen.findByText('订单过期')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/index'));
});

test('back from the messaging app with a code the identity is bound, and the code leaves the address', async () => {
  window.history.replaceState({ idx: 1 }, '', '/paymentpage?order=202605010001&code=c-1&state=st');
  const exchanged = vi.fn((_: Form) => main.ok({ openid: 'o-1', yz_code: '' }));
  server.use(post('/Login/getopenid', exchanged));
  open();
  expect(await screen.findByText('长风渡')).toBeVisible();
  expect(exchanged).toHaveBeenCalledTimes(1);
  expect(exchanged.mock.calls[0]?.[0]).toMatchObject({ code: 'c-1', state: 'st', token: 'tok' });
  expect(window.location.search).toBe('?order=202605010001');
});

/** The page as the messaging app sends the buyer back to it: the shop knows the identity once the code has been exchanged. */
function comeBack({ binds = true, card = false } = {}) {
  const invoke = inApp('cancel');
  ends('N');
  window.history.replaceState({ idx: 1 }, '', '/paymentpage?order=202605010001&code=c-1&state=st');
  if (card) sessionStorage.setItem('pay 202605010001', JSON.stringify({ cards: [filmCard.id], app: true }));
  let openid = '';
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '202605010001' }));
  const left = vi.fn((_: Form) => main.refuse('internal', '稍后再试'));
  server.use(
    post('/Login/getopenid', () => {
      if (binds) openid = 'o-1';
      return main.ok({ openid: 'o-1', yz_code: '' });
    }),
    post('/Login/wxlogin', left),
    post(movie('jsordershow'), () => main.ok({ order: legacyOrder, time: afternoon, has_password: true, openid })),
    post(movie('wxpay'), prepared),
  );
  renderScreen(<PaymentScreen />, '/paymentpage?order=202605010001');
  return { invoke, prepared, left };
}

test('back with an identity the payment goes on by itself, once', async () => {
  const { invoke, prepared } = comeBack();
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(await screen.findByText('您取消了付款，座位仍为您保留')).toBeVisible();
  expect(prepared).toHaveBeenCalledTimes(1);
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({ openid: 'o-1', wxprice: '85.80' });
  expect(invoke).toHaveBeenCalledTimes(1);
});

test('back with an identity and the kept choice of a card the password is asked for', async () => {
  const { prepared } = comeBack({ card: true });
  expect(await screen.findByRole('group', { name: '数字键盘' })).toBeVisible();
  expect(prepared).not.toHaveBeenCalled();
});

test('back without the shop having an identity nobody is sent round again', async () => {
  const { prepared, left } = comeBack({ binds: false });
  expect(await screen.findByText('微信支付 ¥85.80')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(prepared).not.toHaveBeenCalled();
  expect(left).not.toHaveBeenCalled();
});

test('a buyer without an identity is sent to name one, and comes back to this page', async () => {
  inApp('ok');
  window.history.replaceState({ idx: 1 }, '', '/paymentpage?order=202605010001');
  const asked = vi.fn((_: Form) => main.refuse('internal', '稍后再试'));
  server.use(post('/Login/wxlogin', asked));
  open({ openid: '' });
  await user().click(await payButton());
  expect(await screen.findByText('稍后再试')).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ url: `${window.location.origin}/paymentpage?order=202605010001` });
});

test('the cards are shown with their type, points and end, those about to expire marked', async () => {
  open();
  await user().click(await screen.findByRole('button', { name: /福利卡.*2 张可用/ }));
  const sheet = await screen.findByRole('dialog', { name: '选择福利卡' });
  expect(within(sheet).getByRole('checkbox', { name: `电影卡 尾号5678，余额${filmCard.price}点` })).toBeInTheDocument();
  expect(within(sheet).getByRole('checkbox', { name: `超级卡 尾号1234，余额${card.price}点` })).toBeInTheDocument();
  expect(within(sheet).getByText('即将过期')).toBeVisible();
});
