import type { QueryClient } from '@tanstack/react-query';

const cards = ['cards', 'card', 'card-records', 'recharge-offer', 'spendable-cards', 'wallet', 'member'];
const orders = ['orders', 'order', 'card-order', 'goods', 'member'];

async function reread(queries: QueryClient, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}

/** What lists or counts cards, or the points on them, is read anew. */
export function cardsChanged(queries: QueryClient): Promise<void> {
  return reread(queries, cards);
}

/** An order was paid, or given up: what shows it is read anew, and what paid for it. */
export function ordersChanged(queries: QueryClient): Promise<void> {
  return reread(queries, [...orders, ...cards]);
}

/**
 * An order was made, or its payment left, and it waits. The cards are not read anew: what it holds of their points is out of
 * everybody's reach, also out of the list's, until the order is paid or given up.
 */
export function orderWaits(queries: QueryClient): Promise<void> {
  return reread(queries, orders);
}
