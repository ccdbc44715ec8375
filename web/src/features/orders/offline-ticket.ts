import * as v from 'valibot';
import { TicketOrder } from '../../shop/ticket-order';
import { ownKey } from '../../wire/own-key';

const name = 'tickets';
/** The number of tickets that are stored. */
const maxTickets = 8;
const StoredTickets = v.array(TicketOrder);

function read(): TicketOrder[] {
  try {
    return v.parse(StoredTickets, JSON.parse(localStorage.getItem(ownKey(name)) ?? '[]'));
  } catch {
    return [];
  }
}

/** Stores an issued ticket on the phone, because many cinemas have no network. Only the latest eight are kept. */
export function storeTicket(order: TicketOrder): void {
  try {
    const others = read().filter((other) => other.id !== order.id);
    localStorage.setItem(ownKey(name), JSON.stringify([order, ...others].slice(0, maxTickets)));
  } catch {
    // If the storage is full or forbidden, the ticket is available only with a network.
  }
}

/** The stored ticket of an order, or undefined. Only tickets of the present session are found. */
export function storedTicket(id: string): TicketOrder | undefined {
  return read().find((order) => order.id === id);
}
