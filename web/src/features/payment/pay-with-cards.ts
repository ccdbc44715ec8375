import * as v from 'valibot';
import { postMovie, token } from '../../wire/client';
import { text } from '../../wire/fields';

const Paid = v.object({ order_no: text, orderstatus: v.union([v.string(), v.number()]) });

export interface PayWithCards {
  oid: string;
  /** Card ids joined by commas, as the quote has them. */
  ka_ids: string;
  pass: string;
}

/** Pays the whole order with cards. */
export function payWithCards(payment: PayWithCards) {
  return postMovie('flkpay', { ...token(), ...payment }, Paid, { timeout: 30_000 });
}
