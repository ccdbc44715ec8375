import { Prepared } from '../../pay/bridge';
import type { AppPayment } from '../../pay/purchase';
import { postMovie, token } from '../../wire/client';

/** Reserves the cards' part of a ticket order and prepares the messaging app's part. */
export function payWithApp(payment: AppPayment & { oid: string }) {
  return postMovie('wxpay', { ...token(), ...payment }, Prepared, { timeout: 30_000 });
}
