import { act, screen, waitFor } from '@testing-library/react';
import { delay } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inApp, payButton, user } from '../../../test/paying';
import { afterPayment, beforePayment, ends, movie, open } from '../../../test/payment-page';
import { renderScreen } from '../../../test/render';
import { afternoon, bridgeParams, filmCard, legacyOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { type Form, main, post } from '../../../test/wire';
import { ownKey } from '../../wire/own-key';
import PaymentScreen from './payment-screen';

beforeEach(beforePayment);
afterEach(afterPayment);

test('back from the messaging app with a code the identity is bound, and the code leaves the address', async () => {
  window.history.replaceState({ idx: 1 }, '', '/paymentpage?order=202605010001&code=c-1&state=st');
  const exchanged = vi.fn((_: Form) => main.ok({ openid: 'o-1', yz_code: '', bound: true }));
  server.use(post('/Login/getopenid', exchanged));
  open();
  expect(await screen.findByText('长风渡')).toBeVisible();
  await waitFor(() => expect(exchanged).toHaveBeenCalledTimes(1));
  expect(exchanged.mock.calls[0]?.[0]).toMatchObject({ code: 'c-1', state: 'st', token: 'tok' });
  expect(window.location.search).toBe('?order=202605010001');
});

/** Opens the page as after OAuth. The shop knows the identity once the code has been exchanged. */
function comeBack({ binds = true, card = false, slow = false } = {}) {
  const invoke = inApp('cancel');
  ends('N');
  window.history.replaceState({ idx: 1 }, '', '/paymentpage?order=202605010001&code=c-1&state=st');
  const choice = { purchase: '202605010001', cards: card ? [filmCard.id] : [], app: true };
  localStorage.setItem(ownKey('pay choice'), JSON.stringify(choice));
  let openid = '';
  let exchange = () => {};
  const exchanged = new Promise<void>((resolve) => {
    exchange = resolve;
  });
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '202605010001' }));
  const left = vi.fn((_: Form) => main.reject('internal', '稍后再试'));
  server.use(
    post('/Login/getopenid', async () => {
      if (slow) await delay(50);
      if (binds) openid = 'o-1';
      exchange();
      return main.ok({ openid: 'o-1', yz_code: '', bound: true });
    }),
    post('/Login/wxlogin', left),
    post('/Film/jsordershow', async () => {
      const known = openid; // the identity at the time when the shop reads the order
      if (slow) await exchanged.then(() => delay(100));
      return main.ok({ order: legacyOrder, time: afternoon, has_password: true, openid: known, checking: false });
    }),
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

test('back with an identity the payment goes on also if the shop answers slowly', async () => {
  const { invoke } = comeBack({ slow: true });
  await waitFor(() => expect(invoke).toHaveBeenCalledTimes(1));
});

test('back with an identity and the kept choice of a card the password is asked for', async () => {
  const { prepared } = comeBack({ card: true });
  expect(await screen.findByRole('group', { name: '数字键盘' })).toBeVisible();
  expect(prepared).not.toHaveBeenCalled();
});

test('without an identity after the return the buyer is not redirected again', async () => {
  const { prepared, left } = comeBack({ binds: false });
  await waitFor(() => expect(screen.getByRole('region', { name: '金额明细' })).toHaveTextContent(/还需支付¥85\.80$/));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(prepared).not.toHaveBeenCalled();
  expect(left).not.toHaveBeenCalled();
});

test('a buyer without an identity is sent to name one, and comes back to this page', async () => {
  inApp('ok');
  window.history.replaceState({ idx: 1 }, '', '/paymentpage?order=202605010001');
  const asked = vi.fn((_: Form) => main.reject('internal', '稍后再试'));
  server.use(post('/Login/wxlogin', asked));
  open({ openid: '' });
  await user().click(await payButton());
  expect(await screen.findByText('稍后再试')).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ url: `${window.location.origin}/paymentpage?order=202605010001` });
});
