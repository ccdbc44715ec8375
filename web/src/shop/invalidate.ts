import type { QueryClient } from '@tanstack/react-query';

const cards = ['cards', 'card', 'card-records', 'recharge-offer', 'spendable-cards', 'wallet', 'member'];
const orders = ['orders', 'order', 'card-order', 'goods', 'member'];

async function invalidate(queries: QueryClient, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}

/** Invalidates all queries that show cards or their points. */
export function cardsChanged(queries: QueryClient): Promise<void> {
  return invalidate(queries, cards);
}

/** Invalidates all queries that show orders or cards, after an order was paid or cancelled. */
export function ordersChanged(queries: QueryClient): Promise<void> {
  return invalidate(queries, [...orders, ...cards]);
}

/**
 * Invalidates the queries that show orders, after an order was created or its payment was abandoned. Cards are not
 * fetched again, because the points that the unpaid order reserves would be missing from the list until the order is
 * paid or cancelled.
 */
export function unpaidOrdersChanged(queries: QueryClient): Promise<void> {
  return invalidate(queries, orders);
}
