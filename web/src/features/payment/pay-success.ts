import { post, token } from '../../wire/client';
import { PaidTickets } from '../../wire/generated/PaidTickets';
import type { Backend } from './get-order';

/**
 * Fetches the order after a payment. The shop queries the messaging app if it does not know yet whether the order is
 * paid.
 */
export function paySuccess(order_no: string, backend: Backend) {
  const fields = { ...token(), order_no };
  return backend === 'new'
    ? post('/movie/route/Movie/pay_success', fields, PaidTickets)
    : post('/Film/pay_success', fields, PaidTickets);
}
