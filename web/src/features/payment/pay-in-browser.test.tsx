import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { payButton, user } from '../../../test/paying';
import { address, afterPayment, beforePayment, ends, movie, open } from '../../../test/payment-page';
import { renderScreen } from '../../../test/render';
import { afternoon, legacyOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { main, post } from '../../../test/wire';
import { browser } from '../../pay/h5-page';
import { config } from '../../wire/config';
import PaymentScreen from './payment-screen';

beforeEach(() => {
  beforePayment();
  config.h5 = true;
});
afterEach(() => {
  config.h5 = false;
  afterPayment();
});

const page = 'https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=9';

test('the payment page of the messaging app opens, and returns to the payment with its order', async () => {
  const asked = vi.fn(({ oid = '' }: Record<string, string>) => main.ok({ h5_url: page, order_no: oid }));
  server.use(post(movie('wxpay'), asked));
  const opened = vi.spyOn(browser, 'open').mockReturnValue();
  window.history.replaceState({ idx: 1 }, '', address);
  open();
  await user().click(await screen.findByRole('checkbox', { name: /微信支付/ }));
  expect(screen.queryByText('需在微信中打开')).toBeNull();
  await user().click(await payButton());
  await waitFor(() => expect(opened).toHaveBeenCalled());
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ trade_type: 'MWEB', ka_ids: '', wxprice: '85.80' });
  expect(asked.mock.calls[0]?.[0]).not.toHaveProperty('openid');
  const to = new URL(opened.mock.calls[0]?.[0] ?? '');
  expect(to.searchParams.get('prepay_id')).toBe('wx1');
  const back = new URL(to.searchParams.get('redirect_url') ?? '');
  expect(back.pathname + back.search).toBe(`${address}&h5=202605010001`);
  expect(window.location.search).toBe(back.search);
});

/** Opens the page as the messaging app's payment page does on return. */
function returns() {
  const answer = () =>
    main.ok({ order: legacyOrder, time: afternoon, has_password: true, openid: '', checking: false });
  server.use(post(movie('jsordershow'), answer), post('/Film/jsordershow', answer));
  return renderScreen(<PaymentScreen />, `${address}&h5=202605010001`);
}

test('back from a payment, the shop is asked what became of it', async () => {
  ends('P');
  const { where } = returns();
  expect(await screen.findByText('支付成功')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('money that has not come is not called failed; it is asked about again when the buyer returns', async () => {
  ends('N');
  const { where } = returns();
  await screen.findByRole('button', { name: '确认支付' });
  await act(() => vi.advanceTimersByTimeAsync(4000));
  expect(await screen.findByText(/还没有收到付款/, { selector: '[role=status] *' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText('支付失败')).toBeNull();
  expect(await payButton()).toBeEnabled();
  ends('P');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test.each([
  ['order_not_found', '订单已失效', 'alert'],
  ['rate_limited', '操作过于频繁', 'status'],
] as const)('asked about the payment, the shop rejects with %s: %s is of the role %s', async (code, text, role) => {
  const reject = () => main.reject(code, text);
  server.use(post(movie('pay_success'), reject), post('/Film/pay_success', reject));
  returns();
  expect(await screen.findByText(text, { selector: `[role=${role}] *` })).toBeVisible();
});
