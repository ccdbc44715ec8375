import * as v from 'valibot';
import { TicketOrder } from '../../shop/ticket-order';
import { ownKey } from '../../wire/session';

const name = 'tickets';
const room = 8;
const Kept = v.array(TicketOrder);

function read(): TicketOrder[] {
  try {
    return v.parse(Kept, JSON.parse(localStorage.getItem(ownKey(name)) ?? '[]'));
  } catch {
    return [];
  }
}

/** Keeps a buyer's issued ticket on the phone: cinemas are where networks are not. */
export function keepTicket(order: TicketOrder): void {
  try {
    const others = read().filter((other) => other.id !== order.id);
    localStorage.setItem(ownKey(name), JSON.stringify([order, ...others].slice(0, room)));
  } catch {
    // A full or forbidden storage leaves a ticket that needs the network.
  }
}

export function keptTicket(id: string): TicketOrder | undefined {
  return read().find((order) => order.id === id);
}
