import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { issuedOrder, legacyOrder } from '../../test/samples';
import { server } from '../../test/server';
import { main, post } from '../../test/wire';
import { onOrders, storedTickets } from '../shop/stored-tickets';
import type { TicketOrder } from '../wire/generated/shop';
import { session } from '../wire/session';
import { askEvery, keepTickets } from './ticket-keeper';

let orders: TicketOrder[] = [];
const asked = vi.fn((_: Record<string, string>) =>
  main.ok({ list: orders, total: orders.length, counts: { all: 0, pending: 0, to_use: 0, completed: 0 } }),
);
let stop = () => {};

beforeEach(() => {
  asked.mockClear();
  session.logIn('tok', '1');
  server.use(post('/Dyorder/order', asked));
  // The requests themselves need real timers.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => stop());

const other = { ...issuedOrder, id: '202605010009' };
const issuing: TicketOrder = { ...legacyOrder, orderstatus: 'P' };
const codes = () => storedTickets().map(({ id }) => id);

/** Resolves with the next answer, without moving the clock. */
const answer = () =>
  new Promise<void>((resolve) => {
    const end = onOrders(() => {
      end();
      resolve();
    });
  });

test('a ticket that no page shows is stored, and one that is being issued is asked for until it is issued', async () => {
  orders = [other, issuing];
  const first = answer();
  stop = keepTickets();
  await first;
  expect(codes()).toEqual([other.id]);
  orders = [other, issuedOrder];
  const second = answer();
  await vi.advanceTimersByTimeAsync(askEvery - 1);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(codes()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10 * askEvery);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('it asks again once the network is back, and after a login of another account', async () => {
  orders = [];
  let next = answer();
  stop = keepTickets();
  await next;
  next = answer();
  window.dispatchEvent(new Event('online'));
  await next;
  next = answer();
  session.logIn('another', '2');
  await next;
  expect(asked.mock.calls.map(([fields]) => fields.token)).toEqual(['tok', 'tok', 'another']);
  session.logOut();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(askEvery);
  expect(asked).toHaveBeenCalledTimes(3);
});
