import { screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import PaymentScreen from '../src/features/payment/payment-screen';
import { toast } from '../src/ui/toast';
import type { PaymentPage, TicketOrder } from '../src/wire/generated/shop';
import { chosenNoCards, leaveApp } from './paying';
import { renderScreen } from './render';
import { afternoon, bridgeParams, legacyOrder, newOrder } from './samples';
import { server } from './server';
import { shop } from './shop';
import { type Form, main, post } from './wire';

export const movie = <Op extends string>(op: Op) => `/movie/route/Movie/${op}` as const;
export const address = '/paymentpage?order=202605010001';

/** Prepares a test: a logged-in buyer, with an earlier page of the app in the history. */
export function beforePayment() {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: afternoon * 1000 });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  window.history.replaceState({ idx: 1 }, '', '/');
}

export function afterPayment() {
  leaveApp();
  toast.clear();
  window.history.replaceState(null, '', '/');
}

/** Opens the payment page of an order, for a buyer who has chosen to pay without cards before. */
export function open(payable: Partial<PaymentPage> = {}) {
  chosenNoCards();
  return openWithCards(payable);
}

/** Opens the payment page of an order, for which the app suggests cards. */
export function openWithCards(payable: Partial<PaymentPage> = {}) {
  serves(payable);
  return renderScreen(<PaymentScreen />, address);
}

/** Sets the order that the shop returns to the payment page. */
export function serves(payable: Partial<PaymentPage> = {}) {
  const answer = () =>
    main.ok({
      order: legacyOrder,
      time: afternoon,
      has_password: true,
      openid: 'o-1',
      checking: false,
      ...payable,
    });
  server.use(post(movie('jsordershow'), answer), post('/Film/jsordershow', answer));
}

/** Sets the state of the order that the shop returns when the page queries the outcome of the payment. */
export function ends(orderstatus: TicketOrder['orderstatus']) {
  const answer = ({ order_no = '' }: Form) =>
    main.ok({
      order_no,
      orderstatus,
      type: 1 as const,
      order: typeof orderstatus === 'string' ? { ...legacyOrder, orderstatus } : { ...newOrder, orderstatus },
    });
  server.use(post(movie('pay_success'), answer), post('/Film/pay_success', answer));
}

/** Waits until the bill shows these lines, for example after the quote for the chosen cards has arrived. */
export function billSays(lines: string) {
  return waitFor(() => expect(screen.getByRole('region', { name: '金额明细' })).toHaveTextContent(lines));
}

/**
 * Lets the shop prepare payments in the messaging app. Returns a mock function that records the fields of these calls.
 */
export function prepares() {
  const prepared = vi.fn(({ oid = '' }: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: oid }));
  server.use(post(movie('wxpay'), prepared));
  return prepared;
}
