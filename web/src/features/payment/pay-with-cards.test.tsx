import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inApp, payButton, pickCards, typePassword, user } from '../../../test/paying';
import {
  afterPayment,
  beforePayment,
  billSays,
  ends,
  movie,
  open,
  openWithCards,
  prepares,
  serves,
} from '../../../test/payment-page';
import { findToast } from '../../../test/render';
import { afternoon, card, legacyOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { type Answer, type Form, main, post } from '../../../test/wire';
import { ownKey } from '../../wire/own-key';
import { session } from '../../wire/session';

beforeEach(beforePayment);
afterEach(afterPayment);

test('paying without choosing a method says 请选择支付方式', async () => {
  open();
  const paid = vi.fn(() => main.reject('internal', '系统繁忙，请稍后再试'));
  server.use(post(movie('flkpay'), paid), post(movie('wxpay'), paid));
  await user().click(await payButton());
  expect(await findToast('请选择支付方式')).toBeVisible();
  expect(paid).not.toHaveBeenCalled();
});

test('cards that cover only a part still need a method for the rest', async () => {
  open();
  await pickCards(/电影卡/);
  await billSays('福利卡抵扣−¥50.00还需支付¥35.80');
  await user().click(await payButton());
  expect(await screen.findByText('请选择支付方式', { selector: '[role=status] *' })).toBeVisible();
});

test('cards only: the sixth digit sends the payment, 支付成功！, and the orders are shown', async () => {
  const paid = vi.fn(({ oid = '' }: Form) => main.ok({ order_no: oid, orderstatus: 'P' as const }));
  server.use(post(movie('flkpay'), paid));
  const { where } = open();
  await pickCards(/超级卡/);
  expect(await screen.findByText('无需支付')).toBeVisible();
  await user().click(await payButton());
  await typePassword('24681');
  expect(paid).not.toHaveBeenCalled();
  await typePassword('0');
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', oid: '202605010001', ka_ids: 'k1', pass: '246810' });
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a card that is not needed any more says so', async () => {
  open();
  await pickCards(/超级卡/);
  await user().click(await screen.findByRole('button', { name: /福利卡.*已选 1 张$/ }));
  const sheet = within(await screen.findByRole('dialog', { name: '选择福利卡' }));
  expect(sheet.getByRole('checkbox', { name: /电影卡/ })).toHaveAccessibleDescription('已足额，无需再选');
  expect(sheet.getByText('已足额，无需再选')).toBeVisible();
  await user().click(sheet.getByRole('checkbox', { name: /超级卡/ }));
  expect(sheet.queryByText('已足额，无需再选')).toBeNull();
});

test('the sum next to the pay button says who pays it, and is shown once', async () => {
  inApp('ok');
  const { container } = open();
  await pickCards(/电影卡/);
  await billSays('还需支付¥35.80');
  const bar = container.querySelector('.mq-bottom');
  expect(bar).toHaveTextContent(/^还需支付¥35\.80确认支付$/);
  await pickCards(/超级卡/);
  await billSays('还需支付¥0.00');
  expect(bar).toHaveTextContent(/^福利卡支付85\.80 点确认支付$/);
});

test('the soonest-expiring cards are chosen until they cover the price, and pay without another tap', async () => {
  const paid = vi.fn(({ oid = '' }: Form) => main.ok({ order_no: oid, orderstatus: 'P' as const }));
  server.use(post(movie('flkpay'), paid));
  openWithCards();
  expect(await screen.findByRole('button', { name: /福利卡.*已选 2 张$/ })).toBeVisible();
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(paid).toHaveBeenCalledTimes(1));
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ ka_ids: 'k2,k1', pass: '246810' });
});

test('the sheet says what the chosen cards pay, and a change of the choice is kept', async () => {
  openWithCards();
  await pickCards(/电影卡/);
  expect(await screen.findByRole('button', { name: /福利卡.*已选 1 张$/ })).toBeVisible();
  expect(screen.queryByText(/最早到期/)).not.toBeInTheDocument();
  cleanup();
  openWithCards();
  expect(await screen.findByRole('button', { name: /福利卡.*已选 1 张/ })).toBeVisible();
});

test('the last choice outlives the browser tab, and goes with the login', async () => {
  openWithCards();
  await pickCards(/超级卡/);
  expect(await screen.findByRole('button', { name: /福利卡.*已选 1 张/ })).toBeVisible();
  cleanup();
  sessionStorage.clear();
  openWithCards();
  expect(await screen.findByRole('button', { name: /福利卡.*已选 1 张/ })).toBeVisible();
  cleanup();
  session.logOut();
  session.logIn('tok');
  openWithCards();
  expect(await screen.findByRole('button', { name: /福利卡.*已选 2 张/ })).toBeVisible();
});

test('cards that paid are completed for the next purchase, also for one of the same goods', async () => {
  server.use(post(movie('flkpay'), ({ oid = '' }) => main.ok({ order_no: oid, orderstatus: 'P' as const })));
  const { where } = openWithCards();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  cleanup();
  const list = ['5.00', '100.00'].map((price, i) => ({ ...card, id: `k${i + 1}`, num: `622202000000000${i}`, price }));
  server.use(post(movie('card'), () => main.ok({ card_list: list })));
  openWithCards();
  expect(await screen.findByRole('button', { name: /福利卡.*已选 2 张/ })).toBeVisible();
});

test('inside the messaging app a buyer without a password is not made to set one', async () => {
  inApp('ok');
  openWithCards({ has_password: false });
  await waitFor(() => expect(screen.getByRole('region', { name: '金额明细' })).toHaveTextContent(/还需支付¥85\.80$/));
});

test('the password can be typed on a keyboard as well', async () => {
  const paid = vi.fn(({ oid = '' }: Form) => main.ok({ order_no: oid, orderstatus: 'P' as const }));
  server.use(post(movie('flkpay'), paid));
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  const field = await screen.findByLabelText('支付密码');
  await user().type(field, '24681');
  expect(paid).not.toHaveBeenCalled();
  await user().type(field, '0');
  await waitFor(() => expect(paid).toHaveBeenCalledTimes(1));
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ pass: '246810' });
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

test('the typed digits can be shown and hidden', async () => {
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246');
  expect(screen.getByLabelText('支付密码')).toHaveAttribute('type', 'password');
  expect(screen.queryByText('4', { selector: 'i' })).toBeNull();
  await user().click(screen.getByRole('button', { name: '显示密码' }));
  expect(screen.getByText('4', { selector: 'i' })).toBeVisible();
  await user().click(screen.getByRole('button', { name: '隐藏密码' }));
  expect(screen.queryByText('4', { selector: 'i' })).toBeNull();
});

test('a wrong payment password is reported at the field, and can be typed again', async () => {
  let tries = 0;
  server.use(
    post(movie('flkpay'), ({ oid = '' }) => {
      tries += 1;
      return tries === 1
        ? main.reject('payment_password_wrong', '支付密码错误', { tries_left: 4 })
        : main.ok({ order_no: oid, orderstatus: 'P' as const });
    }),
  );
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('111111');
  expect(await screen.findByText('支付密码错误，还可尝试 4 次')).toBeVisible();
  expect(where()).toContain('/paymentpage');
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a payment password that the shop has no time to check keeps its sheet, for another try', async () => {
  let tries = 0;
  server.use(
    post(movie('flkpay'), ({ oid = '' }) => {
      tries += 1;
      return tries === 1
        ? main.reject('payment_password_busy', '支付人数较多，请稍后再试', { wait: 2 })
        : main.ok({ order_no: oid, orderstatus: 'P' as const });
    }),
  );
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  const sheet = within(await screen.findByRole('dialog', { name: '请输入支付密码' }));
  expect(await sheet.findByText('支付人数较多，请稍后再试')).toBeVisible();
  expect(screen.queryByText(/支付失败/)).toBeNull();
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

/** Makes the shop reject the payment password, which is locked for `wait` seconds. */
function rejectsLocked(wait: number) {
  server.use(
    post(movie('flkpay'), () =>
      main.reject('payment_password_locked', '密码错误次数过多，请1分钟后再试', {
        wait,
        until: Math.ceil(Date.now() / 1000) + wait,
      }),
    ),
  );
}

test('a locked payment password takes no digits: it says until when, and leads to paying without cards', async () => {
  const invoke = inApp('ok');
  const prepared = prepares();
  rejectsLocked(60);
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('111111');
  const sheet = await screen.findByRole('dialog', { name: '支付密码已锁定' });
  expect(within(sheet).getByRole('alert')).toHaveTextContent(
    /^密码错误次数过多，请1分钟后再试（(今天|明天) \d\d:\d\d 解锁）$/,
  );
  expect(within(sheet).queryByRole('group', { name: '数字键盘' })).toBeNull();
  expect(within(sheet).queryByLabelText('支付密码')).toBeNull();
  expect(within(sheet).getByRole('link', { name: '忘记密码' })).toHaveAttribute('href', '/payPassword');
  expect(await within(sheet).findByRole('link', { name: /联系客服/ })).toBeVisible();
  await user().click(within(sheet).getByRole('button', { name: '改用微信支付 ¥85.80' }));
  expect(screen.queryByRole('dialog', { name: '支付密码已锁定' })).toBeNull();
  expect(await screen.findByRole('checkbox', { name: '使用福利卡' })).not.toBeChecked();
  await user().click(await payButton());
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({ ka_ids: '', pass: '', wxprice: '85.80' });
});

test('outside of the messaging app the way past a locked payment password leads into it', async () => {
  rejectsLocked(60);
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('111111');
  const sheet = await screen.findByRole('dialog', { name: '支付密码已锁定' });
  await user().click(within(sheet).getByRole('button', { name: '改用微信支付 ¥85.80' }));
  expect(await screen.findByRole('dialog', { name: '请使用微信打开进行支付' })).toBeVisible();
});

test('a payment password stays locked on the page until its time, and is asked for again from then on', async () => {
  rejectsLocked(60);
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('111111');
  const sheet = await screen.findByRole('dialog', { name: '支付密码已锁定' });
  await user().click(within(sheet).getByRole('button', { name: '关闭' }));
  await user().click(await payButton());
  expect(await screen.findByRole('dialog', { name: '支付密码已锁定' })).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(await screen.findByRole('dialog', { name: '请输入支付密码' })).toBeVisible();
  expect(screen.getByRole('group', { name: '数字键盘' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a card payment the shop rejects says 支付失败！ and why', async () => {
  server.use(post(movie('flkpay'), () => main.reject('points_insufficient', '卡内余额不足')));
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  expect(await screen.findByText('支付失败！')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('卡内余额不足');
  expect(where()).toContain('/paymentpage');
});

test('the cards say beforehand that a payment password has to be set', async () => {
  open({ has_password: false });
  expect(await screen.findByRole('button', { name: /福利卡.*需先设置支付密码.*2 张可用/ })).toBeVisible();
  cleanup();
  open();
  expect(await screen.findByRole('button', { name: /福利卡.*2 张可用/ })).toBeVisible();
  expect(screen.queryByText('需先设置支付密码')).toBeNull();
});

test('without a payment password the way leads to setting one', async () => {
  const { where } = open({ has_password: false });
  await pickCards(/超级卡/);
  await user().click(await payButton());
  const dialog = await screen.findByRole('alertdialog', { name: '尚未设置支付密码' });
  await user().click(within(dialog).getByRole('button', { name: '去设置' }));
  await waitFor(() => expect(where()).toBe('/payPassword'));
  expect(JSON.parse(localStorage.getItem(ownKey('pay choice')) ?? '')).toMatchObject({ cards: ['k1'] });
});

test.each<[string, string, () => Answer<'/movie/route/Movie/flkpay'>]>([
  ['network', '网络不给力，请检查网络后重试', () => Response.error()],
  ['provider_unknown', '正在确认结果，请稍候', () => main.reject('provider_unknown', '正在确认结果，请稍候')],
  ['payment_pending', '支付结果确认中，请稍候', () => main.reject('payment_pending', '支付结果确认中，请稍候')],
  [
    'payment_changed',
    '支付状态已变化，请刷新后重试',
    () => main.reject('payment_changed', '支付状态已变化，请刷新后重试'),
  ],
])('an unknown outcome (%s) is not shown as a failure, but with what happens next and customer service', async (_, words, answer) => {
  server.use(post(movie('flkpay'), answer));
  ends('N');
  open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  await act(() => vi.advanceTimersByTimeAsync(3000));
  const remark = await screen.findByText(words, { selector: '[role=status] *' });
  expect(remark.closest('[role=status]')).toHaveTextContent('如已付款，请勿重复支付');
  expect(screen.getByRole('link', { name: /联系客服/ })).toBeVisible();
  expect(screen.queryByText(/支付失败/)).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('after an unknown outcome the shop is asked when the time runs out, and an order that it checks is shown', async () => {
  const order = { ...legacyOrder, expiretime: afternoon + 20 };
  server.use(post(movie('flkpay'), () => main.reject('payment_pending', '支付结果确认中，请稍候')));
  ends('N');
  const { where } = open({ order });
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(await screen.findByText(/请勿重复支付/)).toBeVisible();
  serves({ order, checking: true });
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  await waitFor(() => expect(where()).toBe('/orderpage?id=202605010001'));
  expect(screen.queryByText('订单过期')).toBeNull();
});

test('a payment whose answer is lost is queried before a result is shown', async () => {
  server.use(post(movie('flkpay'), () => Response.error()));
  ends('P');
  const { where } = open();
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(screen.queryByText('支付失败！')).toBeNull();
});

test('lists of cards and their points are loaded again after a payment', async () => {
  server.use(post(movie('flkpay'), ({ oid = '' }) => main.ok({ order_no: oid, orderstatus: 'P' as const })));
  const { queries, where } = open();
  const known = [['cards', 1], ['member'], ['recharge-offer', 'k1'], ['orders', 0]];
  for (const queryKey of known) queries.setQueryData(queryKey, {});
  await pickCards(/超级卡/);
  await user().click(await payButton());
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(known.map((queryKey) => queries.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true, true, true]);
});

test('the bill names the number of seats, what the cards pay and what is left', async () => {
  openWithCards();
  const bill = await screen.findByRole('region', { name: '金额明细' });
  expect(bill).toHaveTextContent('票价 ¥42.90 × 2¥85.80');
  await waitFor(() => expect(bill).toHaveTextContent('福利卡抵扣−¥85.80还需支付¥0.00'));
});

test('the bill names the price of a single seat in the same way', async () => {
  openWithCards({ order: { ...legacyOrder, quantity: 1, price: '85.80' } });
  expect(await screen.findByRole('region', { name: '金额明细' })).toHaveTextContent('票价 ¥85.80 × 1¥85.80');
});

test('seats of different prices are only counted', async () => {
  openWithCards({ order: { ...legacyOrder, price: '' } });
  expect(await screen.findByRole('region', { name: '金额明细' })).toHaveTextContent('票价 2 张¥85.80');
});

/** Gives the buyer cards with these expiry times, each of which covers the price. */
function hasCards(...ends: number[]) {
  const list = ends.map((end_time, i) => ({ ...card, id: `k${i}`, num: `622202000000000${i}`, end_time }));
  server.use(
    post(movie('card'), () => main.ok({ card_list: list })),
    post(movie('pay_date'), ({ fulika = '' }) =>
      main.ok({
        dkprice: fulika ? '85.80' : '0.00',
        wxprice: fulika ? '0.00' : '85.80',
        ka_ids: fulika,
        total: '85.80',
      }),
    ),
  );
}

test('a suggested card is marked as the first to expire only if it is, with its day', async () => {
  hasCards(afternoon + 86_400, afternoon + 2 * 86_400);
  openWithCards();
  expect(await screen.findByText('已优先选用 2026-05-02 到期的福利卡，可点击更改')).toBeVisible();
  cleanup();
  hasCards(afternoon + 86_400, afternoon + 86_400);
  openWithCards();
  expect(await screen.findByRole('button', { name: /福利卡.*已选 1 张$/ })).toBeVisible();
  expect(screen.queryByText(/已优先选用/)).toBeNull();
});

test('while the payment is under way, what pays is not changed', async () => {
  hasCards(afternoon + 86_400, afternoon + 2 * 86_400);
  server.use(post(movie('flkpay'), () => new Promise<never>(() => {})));
  openWithCards();
  const use = await screen.findByRole('checkbox', { name: '使用福利卡' });
  await user().click(await payButton());
  expect(use).toBeEnabled();
  await typePassword('246810');
  await waitFor(() => expect(use).toBeDisabled());
});

test('one tap leaves the cards out, another takes the chosen ones again', async () => {
  openWithCards();
  await pickCards(/电影卡/);
  const use = await screen.findByRole('checkbox', { name: '使用福利卡' });
  await user().click(use);
  expect(await screen.findByRole('button', { name: /福利卡.*2 张可用$/ })).toBeVisible();
  await user().click(use);
  const given = await screen.findByRole('list', { name: '福利卡抵扣' });
  await waitFor(() => expect(within(given).getAllByRole('listitem')).toHaveLength(1));
  expect(given).toHaveTextContent('电影卡（尾号5678）');
});

test('one tap leaves the cards out, another takes the suggested ones again', async () => {
  hasCards(afternoon + 86_400, afternoon + 2 * 86_400);
  openWithCards();
  const use = await screen.findByRole('checkbox', { name: '使用福利卡' });
  const app = screen.getByRole('checkbox', { name: /微信支付/ });
  expect(use).toBeChecked();
  await waitFor(() => expect(app).toBeDisabled());
  await user().click(use);
  expect(use).not.toBeChecked();
  await waitFor(() => expect(app).toBeChecked());
  expect(await screen.findByRole('button', { name: /福利卡.*2 张可用$/ })).toBeVisible();
  await user().click(use);
  expect(await screen.findByRole('button', { name: /福利卡.*已选 1 张$/ })).toBeVisible();
  await waitFor(() => expect(app).toBeDisabled());
});

test('cards that were switched off for another purchase are completed, also after a change of the app', async () => {
  const last = { purchase: 'another', cards: [], app: true, switchedOff: ['k0'] };
  localStorage.setItem(ownKey('pay choice'), JSON.stringify(last));
  hasCards(afternoon + 86_400, afternoon + 2 * 86_400);
  const list = ['5.00', '100.00'].map((price, i) => ({ ...card, id: `k${i}`, num: `622202000000000${i}`, price }));
  server.use(post(movie('card'), () => main.ok({ card_list: list })));
  openWithCards();
  const app = await screen.findByRole('checkbox', { name: /微信支付/ });
  await waitFor(() => expect(app).toBeEnabled());
  await user().click(app);
  await user().click(await screen.findByRole('checkbox', { name: '使用福利卡' }));
  expect(await screen.findByRole('button', { name: /福利卡.*已选 2 张$/ })).toBeVisible();
});
