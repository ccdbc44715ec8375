import { confirm } from '../ui/dialog';
import { nothing, post, token } from '../wire/client';

/** Cancels an unpaid order of tickets or goods and releases its seats or stock. */
export function cancelOrder(oid: string) {
  return post('/movie/route/Movie/unorder', { ...token(), oid }, nothing);
}

function askCancel(message: string): Promise<boolean> {
  return confirm({ title: '取消订单', message, confirmText: '取消订单', cancelText: '再想想', destructive: true });
}

/** Asks before an order of tickets is cancelled. */
export function askCancelSeats(): Promise<boolean> {
  return askCancel('座位将被释放，确定取消吗？');
}

/** Asks before an order of goods is cancelled. */
export function askCancelGoods(): Promise<boolean> {
  return askCancel('确定取消这个订单吗？');
}
