import { useQueryClient } from '@tanstack/react-query';
import { customerMessage } from '../../api/api-error';
import { cancelOrder } from '../../api/cancel-order';
import { ordersChanged } from '../../api/reread';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';

/** Gives an unpaid order up, after a question. */
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
