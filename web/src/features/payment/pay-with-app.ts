import { Prepared } from '../../pay/bridge';
import { postMovie, token } from '../../wire/client';

export interface PayWithApp {
  oid: string;
  /** Cards that pay a part; empty when the messaging app pays all. */
  ka_ids: string;
  openid: string;
  /** The payment password; only with cards. */
  pass: string;
  /** What the customer was shown, so that nobody pays another amount. */
  wxprice: string;
}

/** Reserves the cards' part and prepares the messaging app's. */
export function payWithApp(payment: PayWithApp) {
  return postMovie('wxpay', { ...token(), ...payment }, Prepared, { timeout: 30_000 });
}
