import { confirm } from '../ui/dialog';
import { nothing, post, token } from '../wire/client';

/** Cancels an unpaid order of tickets or goods and releases its seats or stock. */
export function cancelOrder(oid: string) {
  return post('/movie/route/Movie/unorder', { ...token(), oid }, nothing);
}

function askCancel(message: string): Promise<boolean> {
  return confirm({ title: '取消订单', message, confirmText: '取消订单', cancelText: '再想想', destructive: true });
}

/** Asks the customer whether to cancel an order of tickets. Resolves to true if the customer confirms. */
export function askCancelSeats(): Promise<boolean> {
  return askCancel('座位将被释放，确定取消吗？');
}

/** Asks the customer whether to cancel an order of goods. Resolves to true if the customer confirms. */
export function askCancelGoods(): Promise<boolean> {
  return askCancel('确定取消这个订单吗？');
}
