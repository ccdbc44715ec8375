import { nothing, postMain, token } from '../../wire/client';
import { Wait } from './send-login-code';

/** Sends a code to the buyer's own phone. */
export function sendPasswordCode() {
  return postMain('/Member/getsendcode', token(), Wait);
}

export function setPaymentPassword(code: string, password: string) {
  return postMain('/Member/editpassword', { ...token(), code, password }, nothing);
}
