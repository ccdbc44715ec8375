import { postMovie, token } from '../../api/client';
import { text } from '../../api/fields';
import * as z from '../../api/shape';
import { canPay, TicketOrder } from '../../api/ticket-order';

const Result = z.object({ order_no: text, order: TicketOrder });

/** The state of the order after a payment; the shop asks the payment provider itself when it does not know yet. */
export function paySuccess(order_no: string) {
  return postMovie('pay_success', { ...token(), order_no }, Result);
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Asks until the order is no longer waiting for its payment, or patience ends: money takes a moment to be seen, and what
 * the bridge said proves nothing either way.
 */
export async function settled(order_no: string, tries: number, pause = 1000): Promise<TicketOrder> {
  for (let left = tries; ; left -= 1) {
    const { order } = await paySuccess(order_no);
    if (!canPay(order) || left <= 1) return order;
    await wait(pause);
  }
}
