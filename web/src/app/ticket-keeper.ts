import { listOrders } from '../shop/order-list';
import { onOrders } from '../shop/stored-tickets';
import { isIssuing } from '../shop/ticket-order';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import { session } from '../wire/session';

/**
 * While a ticket is being issued: how many milliseconds after the last answer with orders the latest orders are loaded
 * again.
 */
export const askEvery = 5000;
/** The number of orders that are loaded. */
const latest = 8;

const willBeIssued = (order: TicketOrder) => isIssuing(order) && !order.stuck;

/**
 * Stores tickets on the phone even if no page shows them (`listOrders` stores what it loads). It loads the latest
 * orders now, after a login and when the network is back, and again every `askEvery` milliseconds while one of their
 * tickets is being issued. If a page loads orders itself, the next load is postponed. Returns a function that stops
 * this.
 */
export function keepTickets(): () => void {
  const issuing = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let token = session.token();

  function askLater() {
    clearTimeout(timer);
    if (issuing.size > 0) timer = setTimeout(load, askEvery);
  }

  function load() {
    if (token === '') return;
    // An order that the next answer does not contain is no longer waited for.
    const awaited = [...issuing];
    issuing.clear();
    listOrders(0, 1, { pagesize: latest, quiet: true }).catch(() => {
      for (const id of awaited) issuing.add(id);
      askLater();
    });
  }

  const stops = [
    onOrders((orders) => {
      for (const order of orders) {
        if (willBeIssued(order)) issuing.add(order.id);
        else issuing.delete(order.id);
      }
      askLater();
    }),
    session.subscribe(() => {
      if (session.token() === token) return;
      token = session.token();
      clearTimeout(timer);
      issuing.clear();
      load();
    }),
  ];
  window.addEventListener('online', load);
  load();
  return () => {
    clearTimeout(timer);
    window.removeEventListener('online', load);
    for (const stop of stops) stop();
  };
}
