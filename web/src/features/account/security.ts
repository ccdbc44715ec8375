import { queryOptions } from '@tanstack/react-query';
import { nothing, post, token } from '../../wire/client';
import { AccountOpeners } from '../../wire/generated/AccountOpeners';
import { ClosingPreview } from '../../wire/generated/ClosingPreview';
import { ConfirmedSession } from '../../wire/generated/ConfirmedSession';
import { Copy } from '../../wire/generated/Copy';
import { SecurityPage } from '../../wire/generated/SecurityPage';
import { Wait } from '../../wire/generated/Wait';
import { session } from '../../wire/session';
import { withChallenge } from './challenge';

/** Loads how the account can be opened and protected. */
export function getSecurity(signal?: AbortSignal) {
  return post('/Member/security', token(), SecurityPage, { signal });
}

export const securityQuery = queryOptions({
  queryKey: ['member', 'security'],
  queryFn: ({ signal }) => getSecurity(signal),
});

/** What a code to the customer's own phone is for. */
export type CodePurpose = 'safety' | 'closing' | 'session';

/** Sends a code to the customer's own phone. */
export function sendSecurityCode(purpose: CodePurpose) {
  return post('/Member/securitycode', { ...token(), purpose }, Wait);
}

/** Sends a code to the phone that the account shall get, after a challenge if the shop asks for one. */
export function sendNewPhoneCode(phone: string) {
  return withChallenge((answer) => post('/Member/newphonecode', { ...token(), phone, ...answer }, Wait));
}

/**
 * The proof besides the session: a code to the own phone, or the identity, with the payment password for a lost phone.
 */
export interface Proof {
  code?: string;
  password?: string;
  openid?: string;
  yz_code?: string;
}

/** Gives the session more access by a proof. */
export async function confirmAccess(proof: Proof) {
  const { access } = await post('/Login/confirm', { ...token(), ...proof }, ConfirmedSession);
  session.setAccess(access);
}

/** Gives the account another phone. */
export function changePhone(phone: string, newcode: string, proof: Proof) {
  return post('/Member/changephone', { ...token(), phone, newcode, ...proof }, nothing);
}

/** Takes the phone off the account. */
export function unbindPhone(code: string) {
  return post('/Member/unbindphone', { ...token(), code }, nothing);
}

/** Removes an identity in the messaging app from the account; without `openid` all of them. */
export function unbindWechat(code: string, openid?: string) {
  return post('/Member/unbindwechat', { ...token(), code, openid }, nothing);
}

/** Loads what can open the account: the sessions and the identities. */
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

/** Ends all sessions of the account but this one. */
export function endOtherSessions() {
  return post('/Member/endsessions', token(), nothing);
}

/** Loads what prevents the closing of the account, and what is lost by it. */
export function getClosing(signal?: AbortSignal) {
  return post('/Member/closing', token(), ClosingPreview, { signal });
}

export const closingQuery = queryOptions({
  queryKey: ['member', 'closing'],
  queryFn: ({ signal }) => getClosing(signal),
  staleTime: 0,
});

/** Closes the account for good. `points` is the number that the customer has confirmed to give up. */
export function closeAccount(points: string, proof: Proof) {
  return post('/Member/close', { ...token(), points, ...proof }, nothing);
}

/** Fetches a copy of everything that the shop holds of the customer. Its parts are only shown and saved. */
export function exportData(proof: Proof) {
  return post('/Member/export', { ...token(), ...proof }, Copy, { timeout: 30_000 });
}
