import type { GoodsOrder } from '../wire/generated/GoodsOrder';
import { refundedText } from './refund';

/** A part of a payment. `id` is that of a card, or `wx` for the messaging app. */
export interface Share {
  id: string;
  price: string;
  title: string;
}

/** The parts of an order's payment, which the shop sends as JSON in the string `fuli`; none if that is not JSON. */
export function sharesOf({ fuli }: Pick<GoodsOrder, 'fuli'>): Share[] {
  try {
    return JSON.parse(fuli || '[]');
  } catch {
    return [];
  }
}

/** The state of an order of goods or points. */
export type State = Pick<GoodsOrder, 'state'>;

/** Reports whether the order is unpaid. */
export function isUnpaid(order: State): boolean {
  return order.state === 0;
}

/** Reports whether the order is paid and its recharge or codes are not delivered yet. */
export function isDelivering(order: State): boolean {
  return order.state === 1 || order.state === 11;
}

export function isDelivered(order: State): boolean {
  return order.state === 4;
}

/** Reports whether the order ended unpaid because the customer cancelled it. */
export function isCancelled(order: State): boolean {
  return order.state === 2;
}

/** Reports whether the order ended unpaid because its time to pay is over. */
export function isExpired(order: State): boolean {
  return order.state === 8;
}

/** Reports whether the order was paid but failed: the payment is or will be refunded. */
export function isFailed(order: State): boolean {
  return order.state === 7;
}

/** Reports whether the entire payment is refunded. */
export function isRefunded(order: State & Pick<GoodsOrder, 'state_text'>): boolean {
  return isFailed(order) && order.state_text === refundedText;
}

/** Reports whether the order ended without a delivery: cancelled, expired, failed or refunded. */
export function isOver(order: State): boolean {
  return !isUnpaid(order) && !isDelivering(order) && !isDelivered(order);
}

export function isPaidInApp(share: Share): boolean {
  return share.id === 'wx';
}

export type CardOrderTone = 'due' | 'ok' | 'moving' | 'bad' | 'refunded' | 'over';

/**
 * The tone in which an order's state is shown: `due` waits for the payment, `ok` is delivered, `moving` is being
 * delivered, `bad` failed after the payment, `refunded` failed and the payment is refunded, `over` ended unpaid.
 */
export function cardOrderTone(order: State & Pick<GoodsOrder, 'state_text'>): CardOrderTone {
  if (isUnpaid(order)) return 'due';
  if (isDelivered(order)) return 'ok';
  if (isDelivering(order)) return 'moving';
  if (isRefunded(order)) return 'refunded';
  return isFailed(order) ? 'bad' : 'over';
}
