import { nothing, postMain, token } from '../../wire/client';
import { Wait } from './send-login-code';

/** Sends a code to the customer's own phone. */
export function sendPasswordCode() {
  return postMain('/Member/getsendcode', token(), Wait);
}

/** Sets or replaces the payment password. `code` is the SMS code. */
export function setPaymentPassword(code: string, password: string) {
  return postMain('/Member/editpassword', { ...token(), code, password }, nothing);
}
