import { nothing, post, token } from '../../wire/client';
import { Wait } from '../../wire/generated/Wait';

/** Sends a code to the customer's phone. */
export function sendPasswordCode() {
  return post('/Member/getsendcode', token(), Wait);
}

/** Sets or replaces the payment password. `code` is the SMS code. */
export function setPaymentPassword(code: string, password: string) {
  return post('/Member/editpassword', { ...token(), code, password }, nothing);
}
