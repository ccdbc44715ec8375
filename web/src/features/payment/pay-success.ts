import * as v from 'valibot';
import { TicketOrder } from '../../shop/ticket-order';
import { postMain, postMovie, token } from '../../wire/client';
import { text } from '../../wire/fields';
import type { Backend } from './get-order';

const Result = v.object({ order_no: text, order: TicketOrder });

/** The state of the order after a payment; the shop asks the payment provider itself when it does not know yet. */
export function paySuccess(order_no: string, backend: Backend) {
  const fields = { ...token(), order_no };
  return backend === 'new' ? postMovie('pay_success', fields, Result) : postMain('/Film/pay_success', fields, Result);
}
