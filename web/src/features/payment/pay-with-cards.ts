import * as v from 'valibot';
import type { CardPayment } from '../../pay/purchase';
import { postMovie, token } from '../../wire/client';
import { text } from '../../wire/fields';

const Paid = v.object({ order_no: text, orderstatus: v.union([v.string(), v.number()]) });

/** Pays a whole ticket order with cards. */
export function payWithCards(payment: CardPayment & { oid: string }) {
  return postMovie('flkpay', { ...token(), ...payment }, Paid, { timeout: 30_000 });
}
