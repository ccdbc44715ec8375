import { queryOptions } from '@tanstack/react-query';
import { longTimeout, nothing, post, token } from '../../wire/client';
import { AccountOpeners } from '../../wire/generated/AccountOpeners';
import { ClosingPreview } from '../../wire/generated/ClosingPreview';
import { ConfirmedSession } from '../../wire/generated/ConfirmedSession';
import { Copy } from '../../wire/generated/Copy';
import { SecurityPage } from '../../wire/generated/SecurityPage';
import { Wait } from '../../wire/generated/Wait';
import { session } from '../../wire/session';
import { withChallenge } from './challenge';

/**
 * Loads how the account is protected: its phone, whether it has an identity in the messaging app and a payment
 * password, and the proof that gives the session more access.
 */
export function getSecurity(signal?: AbortSignal) {
  return post('/Member/security', token(), SecurityPage, { signal });
}

export const securityQuery = queryOptions({
  queryKey: ['member', 'security'],
  queryFn: ({ signal }) => getSecurity(signal),
});

/**
 * What a code that is sent to the customer's phone allows: `safety` to change the login of the account or to export its
 * data, `closing` to close the account, `session` to give the session more access.
 */
export type CodePurpose = 'safety' | 'closing' | 'session';

/** Sends a code to the customer's phone. */
export function sendSecurityCode(purpose: CodePurpose) {
  return post('/Member/securitycode', { ...token(), purpose }, Wait);
}

/** Sends a code to the account's new phone, after a challenge if the shop asks for one. */
export function sendNewPhoneCode(phone: string) {
  return withChallenge((answer) => post('/Member/newphonecode', { ...token(), phone, ...answer }, Wait));
}

/**
 * A proof, in addition to the session token, that the customer owns the account: the SMS code, the identity in the
 * messaging app (`openid` with `yz_code`), the payment password, or a combination, depending on the call.
 */
export interface Proof {
  code?: string;
  password?: string;
  openid?: string;
  yz_code?: string;
}

/** Sends a proof, which gives the session more access. */
export async function confirmAccess(proof: Proof) {
  const { access } = await post('/Login/confirm', { ...token(), ...proof }, ConfirmedSession);
  session.setAccess(access);
}

/** Gives the account another phone. */
export function changePhone(phone: string, newcode: string, proof: Proof) {
  return post('/Member/changephone', { ...token(), phone, newcode, ...proof }, nothing);
}

/** Removes the phone from the account. */
export function unbindPhone(code: string) {
  return post('/Member/unbindphone', { ...token(), code }, nothing);
}

/** Removes an identity in the messaging app from the account; without `openid`, all identities of the account. */
export function unbindWechat(code: string, openid?: string) {
  return post('/Member/unbindwechat', { ...token(), code, openid }, nothing);
}

/** Loads the sessions that are logged in to the account and the identities that can log in to it. */
export function getSessions(signal?: AbortSignal) {
  return post('/Member/sessions', token(), AccountOpeners, { signal });
}

export const sessionsQuery = queryOptions({
  queryKey: ['member', 'sessions'],
  queryFn: ({ signal }) => getSessions(signal),
  staleTime: 0,
});

/** Ends a session of the account. */
export function endSession(id: string) {
  return post('/Member/endsession', { ...token(), id }, nothing);
}

/** Ends all other sessions of the account. */
export function endOtherSessions() {
  return post('/Member/endsessions', token(), nothing);
}

/** Loads what prevents closing the account, and what would be lost. */
export function getClosing(signal?: AbortSignal) {
  return post('/Member/closing', token(), ClosingPreview, { signal });
}

export const closingQuery = queryOptions({
  queryKey: ['member', 'closing'],
  queryFn: ({ signal }) => getClosing(signal),
  staleTime: 0,
});

/** Closes the account for good. `points` is the number of points that the customer has agreed to give up. */
export function closeAccount(points: string, proof: Proof) {
  return post('/Member/close', { ...token(), points, ...proof }, nothing);
}

/** Fetches all data that the shop has about the customer. */
export function exportData(proof: Proof) {
  return post('/Member/export', { ...token(), ...proof }, Copy, { timeout: longTimeout });
}
