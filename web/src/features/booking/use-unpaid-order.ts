import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ordersChanged } from '../../shop/invalidate';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { getUnpaidOrder, type UnpaidOrder, unlockSeats } from './unpaid-order';

export interface Unpaid {
  order: UnpaidOrder | undefined;
  /** Looks again: a lock was refused because of it. */
  ask: () => Promise<unknown>;
  /** Cancels it and gives its seats back. */
  unlock: () => Promise<void>;
}

/** Whether the customer left an order unpaid; asked anew on every entry to a seat map. */
export function useUnpaidOrder(source: 1 | 2): Unpaid {
  const queries = useQueryClient();
  const { data, refetch } = useQuery({
    queryKey: ['unpaid-order', source],
    // Nothing is remembered: what was true on the last visit may be paid by now.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => (await getUnpaidOrder(source, { signal })) ?? null,
  });
  const order = data ?? undefined;

  async function unlock() {
    if (!order) return;
    try {
      await unlockSeats(order);
      void ordersChanged(queries);
    } catch (failure) {
      toast(customerMessage(failure));
    }
    await refetch();
  }

  return { order, ask: refetch, unlock };
}
