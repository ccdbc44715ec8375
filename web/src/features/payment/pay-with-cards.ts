import type { CardPayment } from '../../pay/purchase';
import { longTimeout, post, token } from '../../wire/client';
import { PaidOrder } from '../../wire/generated/PaidOrder';

/** Pays a ticket order with cards only. */
export function payWithCards(payment: CardPayment & { oid: string }) {
  return post('/movie/route/Movie/flkpay', { ...token(), ...payment }, PaidOrder, { timeout: longTimeout });
}
