import * as v from 'valibot';
import { TicketOrder } from '../wire/generated/TicketOrder';
import { ownKey } from '../wire/own-key';
import { isIssued } from './ticket-order';

const name = 'tickets';
/** The number of tickets that are stored: those of the latest shows. */
const maxTickets = 8;
const StoredTickets = v.array(TicketOrder);
/** The fields that tickets lack which an earlier release has stored. */
const later = { showid: '', cinemaid: '', movieid: '', price: '', ticketCode: '', ticketcodeList: [], stuck: false };

function read(): string {
  try {
    return localStorage.getItem(ownKey(name)) ?? '[]';
  } catch {
    return '[]';
  }
}

/** The tickets on the phone, the latest order first. Only those of the present session are found. */
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

/** Calls `listener` with the ticket orders of each answer of the shop. */
export function onOrders(listener: (orders: readonly TicketOrder[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Stores the issued tickets among orders that the shop has answered, because many cinemas have no network. The ticket
 * of an order that is not issued any more is removed, and so is one whose codes the shop hides.
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
