import { codeOf } from '../../wire/api-error';
import { post } from '../../wire/client';
import { LoginResult } from '../../wire/generated/LoginResult';

/** Logs in with an SMS code. The server creates an account for an unknown phone. */
export function logInByPhone(phone: string, code: string) {
  return post('/Login/phoneLogin', { phone, code }, LoginResult);
}

export interface BindPhone {
  phone: string;
  code: string;
  openid: string;
  /** A single-use token, which proves that the server has exchanged the OAuth code of this identity in this browser. */
  yz_code: string;
  /** 1 if the customer has agreed to add this identity to an account that has another one. */
  further?: '1';
}

/**
 * Logs in with an SMS code and binds the phone to an identity of the messaging app. It fails with `furtherCode` if the
 * account has another identity and `further` is not set.
 */
export function bindPhone(form: BindPhone) {
  return post('/Login/wxbindingPhone', { ...form }, LoginResult);
}

/**
 * The shop's error code if the account already has another identity, and the customer has not agreed to add this one.
 */
export const furtherCode = 'identity_further';

/**
 * The shop's error codes for an identity whose proof is not valid, or not valid in this browser. OAuth has to be
 * repeated.
 */
const unprovenCodes = ['proof_other_browser', 'openid_unproven', 'openid_invalid'];

export function isUnproven(failure: unknown): boolean {
  return unprovenCodes.includes(codeOf(failure) ?? '');
}

/**
 * Logs in by an identity in the messaging app. `yz_code` proves the identity; without it the shop accepts the identity
 * only on a device on which the customer has logged in before. The token of the answer is empty if no phone is bound to
 * the identity yet.
 */
export function quickLogIn(openid: string, yz_code?: string) {
  return post('/newmovie/seat/quicklogin', { openid, yz_code }, LoginResult);
}
