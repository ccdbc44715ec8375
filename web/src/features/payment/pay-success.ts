import { post, token } from '../../wire/client';
import { PaidTickets } from '../../wire/generated/PaidTickets';
import type { Backend } from './get-order';

/** The state of the order after a payment. If the shop does not know it yet, it queries the payment provider. */
export function paySuccess(order_no: string, backend: Backend) {
  const fields = { ...token(), order_no };
  return backend === 'new'
    ? post('/movie/route/Movie/pay_success', fields, PaidTickets)
    : post('/Film/pay_success', fields, PaidTickets);
}
