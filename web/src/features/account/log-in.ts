import * as v from 'valibot';
import { postMain, postSeat } from '../../wire/client';
import { text } from '../../wire/fields';

export const LoginResult = v.object({ token: text, uid: text, openid: text, yz_code: text });
export type LoginResult = v.InferOutput<typeof LoginResult>;

/** Logs in with an SMS code; a phone nobody knows gets an account. */
export function logInByPhone(phone: string, code: string) {
  return postMain('/Login/phoneLogin', { phone, code }, LoginResult);
}

export interface BindPhone {
  phone: string;
  code: string;
  openid: string;
  /** The one-use proof that the identity came out of the shop's own exchange. */
  yz_code: string;
}

/** Logs in with an SMS code and binds the phone to an identity of the messaging app. */
export function bindPhone(form: BindPhone) {
  return postMain('/Login/wxbindingPhone', { ...form }, LoginResult);
}

/** Logs in by identity; no token in the answer means that no phone is bound to it yet. */
export function quickLogIn(openid: string, yz_code: string) {
  return postSeat('quicklogin', { openid, yz_code }, LoginResult);
}
