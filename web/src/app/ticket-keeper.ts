import { listOrders } from '../shop/order-list';
import { onOrders } from '../shop/stored-tickets';
import { isIssuing } from '../shop/ticket-order';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import { session } from '../wire/session';

/** Milliseconds without an answer about an order that is being issued after which the latest orders are loaded. */
export const askEvery = 5000;
/** The number of orders that are loaded. */
const latest = 8;

const willBeIssued = (order: TicketOrder) => isIssuing(order) && !order.stuck;

/**
 * Stores tickets on the phone although no page shows them: those of the latest orders now, after a login and when the
 * network is back, and each ticket once it is issued. Pages that load orders themselves postpone the next load.
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
    // What the answer does not have any more is not awaited.
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
