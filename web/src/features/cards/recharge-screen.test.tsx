import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdingApp, inApp, leaveApp } from '../../../test/paying';
import { renderScreen } from '../../../test/render';
import { bridgeParams, h5Page, card as sample } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card, main, post } from '../../../test/wire';
import { browser } from '../../pay/h5-page';
import { openIDStorage } from '../../session/openid';
import { config } from '../../wire/config';
import type { RechargeResult } from '../../wire/generated/RechargeResult';
import { ownKey } from '../../wire/own-key';
import RechargeScreen from './recharge-screen';

/** Fakes the messaging app as inApp does, with the buyer's identity in this browser. */
function inTheApp(word = 'ok', openid = 'o-1') {
  if (openid) openIDStorage.set(openid);
  return inApp(word);
}

afterEach(leaveApp);

/** Fakes the shop, which returns the given states of the recharge in order. */
function answers(...states: RechargeResult['state'][]) {
  const asked = vi.fn((_: Record<string, string>) => card.ok({ jsApiParameters: bridgeParams, order_no: 'R1' }));
  const looked = vi.fn(({ order_no = '' }: Record<string, string>) => {
    const state = (states.length > 1 ? states.shift() : states[0]) ?? 0;
    return card.ok({ order_no, orderstatus: state, state, card: sample });
  });
  server.use(post('/api/api.php/Card/czwxpay', asked), post('/api/api.php/Card/cxpay_success', looked));
  return { asked, looked };
}

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  window.history.replaceState({ idx: 1 }, '', '/');
});

async function open() {
  const user = userEvent.setup();
  const view = renderScreen(<RechargeScreen />, '/package?cardId=k1');
  await screen.findByText('充值套餐');
  return {
    ...view,
    user,
    pay: () => user.click(screen.getByRole('button', { name: /^(确认支付|去微信支付)$/ })),
    own: async () => {
      await user.click(screen.getByRole('button', { name: /^自定义/ }));
      return screen.getByLabelText('充值点数');
    },
  };
}

test('a package says its points, its price, what a point costs and what it saves', async () => {
  const { user } = await open();
  const choice = screen.getByRole('radio', { name: '100 点 ¥99 0.99元/点 省 ¥1' });
  await user.click(choice);
  expect(choice).toBeChecked();
  expect(screen.getByText('到账 100 点')).toBeVisible();
  expect(screen.getByText('99')).toBeVisible();
});

test('the tile of own points shows their field, and a package hides it', async () => {
  const { user, own } = await open();
  expect(screen.queryByLabelText('充值点数')).toBeNull();
  expect(await own()).toHaveFocus();
  expect(screen.getByRole('button', { name: /^自定义/ })).toHaveAttribute('aria-pressed', 'true');
  await user.keyboard('50');
  expect(screen.getByText('到账 50 点')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  expect(screen.queryByLabelText('充值点数')).toBeNull();
  expect(screen.getByText('到账 100 点')).toBeVisible();
});

test('outside of the messaging app: 请使用微信打开进行支付, and nothing is ordered', async () => {
  const { asked } = answers(4);
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  const sheet = await screen.findByRole('dialog', { name: '请使用微信打开进行支付' });
  expect(within(sheet).getByRole('button', { name: '复制链接' })).toBeVisible();
  expect(within(sheet).getByText(/登录后重新选择即可支付/), 'the link does not carry the choice').toBeVisible();
  expect(asked).not.toHaveBeenCalled();
});

test('without a choice nothing is ordered', async () => {
  inTheApp();
  const { asked } = answers(4);
  const { pay } = await open();
  await pay();
  expect((await screen.findAllByText('请选择充值点数')).length).toBeGreaterThan(1);
  expect(asked).not.toHaveBeenCalled();
});

test('a package is paid in the messaging app; the shop says that the points are there: 支付成功！ and back', async () => {
  const invoke = inTheApp();
  const { asked, looked } = answers(4);
  const { user, pay, where } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toMatchObject({
    token: 'tok',
    card_id: 'k1',
    num: '100.00',
    price: '99.00',
    taocan: '2',
    openid: 'o-1',
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(invoke.mock.calls[0]?.slice(0, 2)).toEqual(['getBrandWCPayRequest', bridgeParams]);
  expect(looked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', order_no: 'R1' });
  await waitFor(() => expect(where()).toBe('/before'));
});

test("points of the customer's choice cost a yuan each and have no package", async () => {
  inTheApp();
  const { asked } = answers(4);
  const { user, pay, own } = await open();
  const field = await own();
  await user.type(field, '88.5');
  expect(screen.getByText('到账 88.50 点')).toBeVisible();
  await pay();
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ num: '88.50', price: '88.50' });
  expect(asked.mock.calls[0]?.[0]).not.toHaveProperty('taocan');
});

test.each([
  ['9999', '9999', '到账 9999 点'],
  ['99990', '9999', '到账 9999 点'],
  ['12.345', '12.34', '到账 12.34 点'],
  ['1', '1', '到账 1 点'],
  ['1a2', '12', '到账 12 点'],
])('typed %s, the field holds %s', async (typed, content, note) => {
  const { user, own } = await open();
  const field = await own();
  await user.type(field, typed);
  expect(field).toHaveValue(content);
  expect(screen.getByText(note)).toBeVisible();
});

test('less than one point cannot be ordered: the field says so', async () => {
  inTheApp();
  const { asked } = answers(4);
  const { user, pay, own } = await open();
  const field = await own();
  await user.type(field, '0.99');
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('充值点数须为1-9999，最多两位小数');
  await pay();
  expect(asked).not.toHaveBeenCalled();
});

test('a sheet that was closed: the shop is asked, and then 支付失败; the same order is paid the next time', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  inTheApp('cancel');
  const { asked, looked } = answers(0);
  const { user, pay, where } = await open();
  const finishPayment = async (looks: number) => {
    await waitFor(() => expect(looked).toHaveBeenCalledTimes(looks - 1));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    await waitFor(() => expect(screen.getByRole('button', { name: '确认支付' })).toBeEnabled());
    expect(looked).toHaveBeenCalledTimes(looks);
  };
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  await finishPayment(2);
  expect(screen.getByText('支付失败')).toBeVisible();
  expect(where()).toBe('/package?cardId=k1');
  await pay();
  await finishPayment(4); // Otherwise its toast would be shown during the next test.
  expect(asked).toHaveBeenCalledTimes(2);
  expect(asked.mock.calls[1]?.[0]?.key).toBe(asked.mock.calls[0]?.[0]?.key);
});

test('a bridge that reports cancel after a payment: the state from the shop counts', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  inTheApp('cancel');
  const { looked } = answers(0, 4);
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  await waitFor(() => expect(looked).toHaveBeenCalledOnce());
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(await screen.findByText('支付成功！')).toBeVisible();
});

test('a lost answer and a second try are one order; another wish is another', async () => {
  inTheApp();
  const keys: string[] = [];
  let lost = true;
  answers(4);
  server.use(
    post('/api/api.php/Card/czwxpay', ({ key = '' }) => {
      keys.push(key);
      return lost
        ? new Response('', { status: 502 })
        : card.reject('recharge_points_invalid', '充值点数须为1-9999，最多两位小数');
    }),
  );
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  expect(await screen.findByText('请求失败')).toBeVisible();
  lost = false;
  await pay();
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
  await user.click(screen.getByRole('radio', { name: /^50 点/ }));
  await pay();
  await waitFor(() => expect(keys).toHaveLength(3));
  expect(keys[2]).not.toBe(keys[0]);
});

test('an order that ended before its number was known is given up: the next try is another', async () => {
  const keys: (string | undefined)[] = [];
  const answer = [
    () => Response.error(),
    () => card.reject('order_state', '订单状态已变化'),
    () => card.reject('order_state', '订单状态已变化'),
  ];
  inTheApp();
  server.use(
    post('/api/api.php/Card/czwxpay', ({ key }) => {
      keys.push(key);
      return answer[keys.length - 1]!();
    }),
  );
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  for (let tried = 1; tried <= 3; tried++) {
    await pay();
    await waitFor(() => expect(keys).toHaveLength(tried));
    await waitFor(() => expect(screen.getByRole('button', { name: '确认支付' })).toBeEnabled());
  }
  expect(keys[1], 'the answer was lost').toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});

test('an attempt whose outcome is not known says so in the page, with customer service, until the next one', async () => {
  inTheApp();
  answers(4);
  const keys: (string | undefined)[] = [];
  function reject<E extends string>(form: Record<string, string>, code: E, text: string) {
    keys.push(form.key);
    return card.reject(code, text);
  }
  server.use(post('/api/api.php/Card/czwxpay', (form) => reject(form, 'provider_unknown', '正在确认结果，请稍候')));
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  const notice = await screen.findByText('正在确认结果，请稍候', { selector: '[role=status] .mq-notice *' });
  expect(notice).toBeVisible();
  expect(screen.queryByRole('alert'), 'nothing has failed').toBeNull();
  expect(screen.getAllByText('正在确认结果，请稍候'), 'no toast repeats it').toHaveLength(1);
  expect(await screen.findByText('联系客服')).toBeVisible();
  server.use(post('/api/api.php/Card/czwxpay', (form) => reject(form, 'card_unusable', '所选卡不可用')));
  await pay();
  expect(await screen.findByText('所选卡不可用')).toBeVisible();
  expect(notice).not.toBeInTheDocument();
  expect(keys[1], 'the same order is asked for').toBe(keys[0]);
});

test('a rejection shows the message of the shop', async () => {
  inTheApp();
  server.use(post('/api/api.php/Card/czwxpay', () => card.reject('card_unusable', '所选卡不可用')));
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  expect(await screen.findByText('所选卡不可用')).toBeVisible();
});

test.each([
  ['is not known', undefined],
  ['the shop does not take for the buyer', 'openid_unproven'],
] as const)('an identity that %s is fetched from the messaging app, and the wish is kept', async (_, rejection) => {
  inTheApp('ok', rejection ? 'o-other' : '');
  const started = vi.fn((_fields: Record<string, string>) => main.reject('internal', '系统繁忙，请稍后再试'));
  server.use(post('/Login/wxlogin', started));
  if (rejection)
    server.use(post('/api/api.php/Card/czwxpay', () => card.reject(rejection, '微信身份已过期，请重新登录')));
  const { user, pay, unmount } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  await waitFor(() => expect(started).toHaveBeenCalledOnce());
  expect(await screen.findByText('系统繁忙，请稍后再试')).toBeVisible();
  expect(openIDStorage.get()).toBe('');
  unmount();
  await open();
  expect(screen.getByRole('radio', { name: /^100 点/ })).toBeChecked();
});

test.each([
  [1, '支付成功！'],
  [2, '已取消'],
  [7, '充值失败，款项将原路退回'],
  [8, '超时未付'],
] as const)('a recharge that ends in state %i says %s, whatever the bridge said', async (state, words) => {
  inTheApp('cancel');
  answers(state);
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  expect(await screen.findByText(words)).toBeVisible();
});

test.each([
  ['has not seen the money yet', () => answers(0)],
  ['is out of reach', () => server.use(post('/api/api.php/Card/cxpay_success', () => Response.error()))],
])('a bridge that says ok while the shop %s claims nothing', async (_, shopSays) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  inTheApp();
  answers(0);
  shopSays();
  const { user, pay, where } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  const remark = await screen.findByText('支付结果确认中，请稍候', { selector: '[role=status] .mq-notice *' });
  expect(remark, 'it stays in the page').toBeVisible();
  expect(where()).toContain('/package');
});

test('a customer who leaves before the points arrive sees the result and is not navigated', async () => {
  openIDStorage.set('o-1');
  const { invoke, answer } = holdingApp();
  answers(4);
  const { user, pay, where } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  await user.click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(where()).toBe('/before'));
  answer('ok');
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(where()).toBe('/before');
});

test('a frozen card is not recharged', async () => {
  inTheApp();
  const { asked } = answers(4);
  server.use(
    post('/api/api.php/Card/chongzhi', () =>
      card.ok({
        card_num: sample.num,
        card: { ...sample, flag: 5 },
        taocan: [{ id: '1', num: '50.00', price: '50.00', danjia: '1.00元/点' }],
      }),
    ),
  );
  const { user, pay } = await open();
  await user.click(screen.getByRole('radio', { name: /^50 点/ }));
  await pay();
  expect(await screen.findByText('所选卡不可用')).toBeVisible();
  expect(asked).not.toHaveBeenCalled();
});

test("another buyer's card cannot be recharged: 未找到这张卡", async () => {
  server.use(post('/api/api.php/Card/chongzhi', () => card.reject('card_not_found', '未找到这张卡')));
  renderScreen(<RechargeScreen />, '/package?cardId=77');
  expect(await screen.findByText('未找到这张卡')).toBeVisible();
  expect(screen.queryByRole('button', { name: /支付/ })).toBeNull();
});

/** Opens the page as after OAuth, with a started purchase of the package of 100 points. */
function comeBack() {
  const left = vi.fn((_: Record<string, string>) => main.reject('internal', '稍后再试'));
  const exchanged = () => main.ok({ openid: 'o-2', yz_code: '', bound: true });
  server.use(post('/Login/getopenid', exchanged), post('/Login/wxlogin', left));
  sessionStorage.setItem(ownKey('recharge k1'), JSON.stringify({ taocan: '2', typed: '' }));
  window.history.replaceState({ idx: 1 }, '', '/package?cardId=k1&code=c-1&state=st');
  renderScreen(<RechargeScreen />, '/package?cardId=k1');
  return left;
}

test('back from the messaging app with an identity the payment goes on by itself, once', async () => {
  const invoke = inTheApp('ok', '');
  const { asked } = answers(4);
  comeBack();
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(asked).toHaveBeenCalledTimes(1);
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ card_id: 'k1', taocan: '2', openid: 'o-2' });
  expect(invoke).toHaveBeenCalledTimes(1);
});

test('an identity rejected right after OAuth does not start OAuth again: a message says why', async () => {
  inTheApp('ok', '');
  server.use(post('/api/api.php/Card/czwxpay', () => card.reject('openid_unproven', '微信身份已过期，请重新登录')));
  const left = comeBack();
  expect(await screen.findByText('微信身份已过期，请重新登录')).toBeVisible();
  expect(left).not.toHaveBeenCalled();
});

/** Makes the shop prepare H5 payments. Returns the keys of the calls and a mock that records the opened pages. */
function inABrowser() {
  config.h5 = true;
  const keys: (string | undefined)[] = [];
  server.use(
    post('/api/api.php/Card/czwxpay', ({ key }) => {
      keys.push(key);
      return card.ok({ h5_url: h5Page, order_no: 'R1' });
    }),
  );
  return { keys, left: vi.spyOn(browser, 'open').mockReturnValue() };
}

afterEach(() => {
  config.h5 = false;
});

/** Chooses 100 points, leaves for the messaging app's payment page, and reopens the page as that page does. */
async function payAndReturn() {
  window.history.replaceState({ idx: 1 }, '', '/package?cardId=k1');
  const { left, keys } = inABrowser();
  const { user, pay, unmount } = await open();
  await user.click(screen.getByRole('radio', { name: /^100 点/ }));
  await pay();
  await waitFor(() => expect(left).toHaveBeenCalledOnce());
  unmount();
  const view = renderScreen(<RechargeScreen />, window.location.pathname + window.location.search);
  await screen.findByText('充值套餐');
  return { ...view, keys, left, user };
}

test('back from the payment page of a browser, the recharge is asked for, and the next try is the same order', async () => {
  const { looked } = answers(0);
  const { user, keys, left } = await payAndReturn();
  expect(await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' })).toBeVisible();
  expect(looked.mock.calls[0]?.[0]).toMatchObject({ order_no: 'R1' });
  expect(screen.getByRole('radio', { name: /^100 点/ })).toBeChecked();
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  await waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  expect(keys[1]).toBe(keys[0]);
});

test('a page that the browser has kept asks for the payment that was left last', async () => {
  const { looked } = answers(0);
  const { user, left } = await payAndReturn();
  await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' });
  server.use(post('/api/api.php/Card/czwxpay', () => card.ok({ h5_url: h5Page, order_no: 'R2' })));
  await user.click(screen.getByRole('radio', { name: /^50 点/ }));
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  await waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await waitFor(() => expect(screen.getByRole('button', { name: '确认支付' })).toBeEnabled());
  looked.mockClear();
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(looked).toHaveBeenCalled());
  expect(looked.mock.calls[0]?.[0]).toMatchObject({ order_no: 'R2' });
});

test('a recharge that ended elsewhere is not taken for the next one', async () => {
  answers(0);
  const { user, unmount, keys, left } = await payAndReturn();
  await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' });
  unmount();
  const paid = vi.fn(({ order_no = '' }: Record<string, string>) =>
    card.ok({ order_no, orderstatus: 4 as const, state: 4 as const, card: sample }),
  );
  server.use(post('/api/api.php/Card/cxpay_success', paid));
  const { where } = renderScreen(<RechargeScreen />, '/package?cardId=k1');
  await waitFor(() => expect(paid).toHaveBeenCalled());
  await user.click(await screen.findByRole('radio', { name: /^100 点/ }));
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  await waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  expect(keys[1]).not.toBe(keys[0]);
  expect(where()).toContain('/package');
});

test('a begun recharge that cannot be queried is shown as unknown, is queried again and stays one order', async () => {
  answers(0);
  const { user, unmount, keys, left } = await payAndReturn();
  await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' });
  unmount();
  const asked = vi.fn(() => Response.error());
  server.use(post('/api/api.php/Card/cxpay_success', asked));
  renderScreen(<RechargeScreen />, '/package?cardId=k1');
  expect(await screen.findByText('上次充值的支付结果暂时未知')).toBeVisible();
  expect(asked).toHaveBeenCalled();
  answers(0);
  server.use(
    post('/api/api.php/Card/czwxpay', ({ key }) => {
      keys.push(key);
      return card.ok({ h5_url: h5Page, order_no: 'R1' });
    }),
  );
  await user.click(screen.getByRole('button', { name: '查询结果' }));
  expect(await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  await waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  expect(keys[1]).toBe(keys[0]);
});

test('while the outcome is asked for, the remark stays and its button keeps the focus', async () => {
  answers(0);
  const { user, unmount } = await payAndReturn();
  await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' });
  unmount();
  server.use(post('/api/api.php/Card/cxpay_success', () => Response.error()));
  renderScreen(<RechargeScreen />, '/package?cardId=k1');
  const remark = await screen.findByText('上次充值的支付结果暂时未知');
  answers(0);
  const query = screen.getByRole('button', { name: '查询结果' });
  await user.click(query);
  expect(remark).toBeVisible();
  expect(query).toHaveTextContent('查询中…');
  expect(query).toHaveAttribute('aria-disabled', 'true');
  expect(query).toHaveFocus();
  expect(await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' })).toBeVisible();
  expect(query).toHaveTextContent('查询结果');
  expect(query).toHaveFocus();
});

test('a late failure to ask for the earlier recharge leaves the remark on a newer attempt', async () => {
  answers(0);
  const { user, unmount } = await payAndReturn();
  await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' });
  unmount();
  let fail = () => {};
  const earlier = new Promise<Response>((resolve) => {
    fail = () => resolve(Response.error());
  });
  server.use(
    post('/api/api.php/Card/cxpay_success', () => earlier),
    post('/api/api.php/Card/czwxpay', () => Response.error()),
  );
  const fetched = vi.spyOn(window, 'fetch');
  renderScreen(<RechargeScreen />, '/package?cardId=k1');
  await waitFor(() => expect(fetched.mock.calls.map(([url]) => String(url)).join()).toContain('cxpay_success'));
  const asked = fetched.mock.results[fetched.mock.calls.findIndex(([url]) => String(url).includes('cxpay_success'))];
  await user.click(await screen.findByRole('radio', { name: /^50 点/ }));
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  const newer = await screen.findByText('网络不给力，请检查网络后重试', { selector: '[role=status] *' });
  fail();
  await act(() => expect(asked?.value).rejects.toThrow());
  expect(newer).toBeVisible();
  expect(screen.queryByText('上次充值的支付结果暂时未知')).toBeNull();
});

test('back from the payment page of a browser with the points there: 支付成功！', async () => {
  answers(4);
  const { where } = await payAndReturn();
  expect(await screen.findByText('支付成功！')).toBeVisible();
  await waitFor(() => expect(where()).not.toContain('/package'));
});

test('a recharge that was paid in the meantime is not paid again: its outcome is shown', async () => {
  answers(0);
  const { user, where } = await payAndReturn();
  await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' });
  server.use(post('/api/api.php/Card/czwxpay', () => card.reject('already_paid', '订单已支付')));
  server.use(
    post('/api/api.php/Card/cxpay_success', ({ order_no = '' }) =>
      card.ok({ order_no, orderstatus: 4 as const, state: 4 as const, card: sample }),
    ),
  );
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  expect(await screen.findByText('支付成功！')).toBeVisible();
  await waitFor(() => expect(where()).not.toContain('/package'));
});

test('a recharge that has ended is not asked for again, and the next one is another order', async () => {
  answers(8);
  const { user, keys, left, where } = await payAndReturn();
  expect(await screen.findByText('超时未付')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/package?cardId=k1'));
  await user.click(screen.getByRole('button', { name: '确认支付' }));
  await waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  expect(keys[1]).not.toBe(keys[0]);
});
