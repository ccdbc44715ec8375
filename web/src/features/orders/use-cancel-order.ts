import { useQueryClient } from '@tanstack/react-query';
import { cancelOrder } from '../../shop/cancel-order';
import { ordersChanged } from '../../shop/invalidate';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';

/** Returns a function that cancels an unpaid order once `ask` has resolved to true. */
export function useCancelOrder(ask: () => Promise<boolean>): (oid: string) => Promise<void> {
  const queries = useQueryClient();
  return async (oid) => {
    if (!(await ask())) return;
    try {
      await cancelOrder(oid);
      toast.ok('订单已取消');
    } catch (failure) {
      toast(customerMessage(failure));
    }
    await ordersChanged(queries);
  };
}
