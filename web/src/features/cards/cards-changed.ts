import type { QueryClient } from '@tanstack/react-query';

/** What lists or counts cards, or the points on them, is read anew. */
export async function cardsChanged(queries: QueryClient): Promise<void> {
  const keys = ['cards', 'card-records', 'recharge-offer', 'spendable-cards', 'member'];
  await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
