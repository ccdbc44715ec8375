import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toast } from '../ui/toast';
import { customerMessage } from '../wire/api-error';
import { cancelOrder } from './cancel-order';
import { ordersChanged } from './invalidate';

/** `cancel` cancels an unpaid order if `ask` resolves to true. `busy` is true while the call is in progress. */
export function useCancelOrder(ask: () => Promise<boolean>) {
  const queries = useQueryClient();
  const asking = useRef(false);
  const [busy, setBusy] = useState(false);

  async function cancel(oid: string) {
    // The second tap of a double tap must not ask again.
    if (asking.current) return;
    asking.current = true;
    try {
      if (!(await ask())) return;
      setBusy(true);
      await cancelOrder(oid);
      toast.ok('订单已取消');
      await ordersChanged(queries);
    } catch (failure) {
      toast(customerMessage(failure));
      await ordersChanged(queries);
    } finally {
      asking.current = false;
      setBusy(false);
    }
  }

  return { busy, cancel: (oid: string) => void cancel(oid) };
}
