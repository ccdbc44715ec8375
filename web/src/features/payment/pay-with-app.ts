import { readPrepared } from '../../pay/bridge';
import type { AppPayment } from '../../pay/purchase';
import { longTimeout, post, token } from '../../wire/client';
import { Prepaid } from '../../wire/generated/Prepaid';

/** Reserves the cards' part of a ticket order and prepares the messaging app's part. */
export async function payWithApp(payment: AppPayment & { oid: string }) {
  return readPrepared(
    await post('/movie/route/Movie/wxpay', { ...token(), ...payment }, Prepaid, { timeout: longTimeout }),
  );
}
