import * as v from 'valibot';
import { TicketOrder } from '../wire/generated/TicketOrder';
import { ownKey } from '../wire/own-key';
import { isIssued } from './ticket-order';

const name = 'tickets';
/** The maximum number of stored tickets. The tickets of the latest shows are kept. */
const maxTickets = 8;
const StoredTickets = v.array(TicketOrder);
/** The values of fields that are missing from tickets stored by an earlier release. */
const later = { showid: '', cinemaid: '', movieid: '', price: '', ticketCode: '', ticketcodeList: [], stuck: false };

function read(): string {
  try {
    return localStorage.getItem(ownKey(name)) ?? '[]';
  } catch {
    return '[]';
  }
}

/** The tickets on the phone, the latest order first. Only those of the current session are found. */
export function storedTickets(): TicketOrder[] {
  try {
    const stored = JSON.parse(read()).map((ticket: object) => ({ ...later, ...ticket }));
    return v.parse(StoredTickets, stored).sort((a, b) => b.add_time - a.add_time);
  } catch {
    return [];
  }
}

/** The stored ticket of an order, or undefined. */
export function storedTicket(id: string): TicketOrder | undefined {
  return storedTickets().find((order) => order.id === id);
}

const listeners = new Set<(orders: readonly TicketOrder[]) => void>();

/**
 * Calls `listener` each time that orders from the shop are passed to `storeTickets`, also if none has a ticket. Returns
 * a function that ends this.
 */
export function onOrders(listener: (orders: readonly TicketOrder[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Stores the issued tickets of orders from the shop, because many cinemas have no network. A stored ticket is removed
 * if its order is no longer in the state issued, for example because it was refunded, or if the shop hides its codes.
 */
export function storeTickets(answered: readonly TicketOrder[]): void {
  const others = storedTickets().filter(({ id }) => answered.every((order) => order.id !== id));
  const issued = answered.filter((order) => isIssued(order) && !order.hidden);
  const kept = [...issued, ...others].sort((a, b) => b.playtime - a.playtime).slice(0, maxTickets);
  const text = JSON.stringify(kept);
  try {
    if (text !== read()) localStorage.setItem(ownKey(name), text);
  } catch {
    // If the storage is full or forbidden, the tickets are available only with a network.
  }
  for (const listener of listeners) listener(answered);
}
