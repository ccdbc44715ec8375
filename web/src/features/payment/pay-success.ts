import * as v from 'valibot';
import { TicketOrder } from '../../shop/ticket-order';
import { postMovie, token } from '../../wire/client';
import { text } from '../../wire/fields';

const Result = v.object({ order_no: text, order: TicketOrder });

/** The state of the order after a payment; the shop asks the payment provider itself when it does not know yet. */
export function paySuccess(order_no: string) {
  return postMovie('pay_success', { ...token(), order_no }, Result);
}
