import { useQueryClient } from '@tanstack/react-query';
import { cancelOrder } from '../../shop/cancel-order';
import { ordersChanged } from '../../shop/invalidate';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';

/** Returns a function that cancels an unpaid order after the customer has confirmed `question`. */
export function useCancelOrder(): (oid: string, question: string) => Promise<void> {
  const queries = useQueryClient();
  return async (oid, question) => {
    if (!(await confirm({ title: '取消订单', message: question, cancelText: '再想想' }))) return;
    try {
      await cancelOrder(oid);
      toast.ok('订单已取消');
    } catch (failure) {
      toast(customerMessage(failure));
    }
    await ordersChanged(queries);
  };
}
