import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { nothing, postMain, token } from '../../wire/client';
import { access, numeric, text } from '../../wire/fields';
import { session } from '../../wire/session';
import { withChallenge } from './captcha';
import { Wait } from './send-login-code';

const Security = v.object({
  /** The masked number, or an empty text for an account without a phone. */
  phone: text,
  wechat: v.boolean(),
  has_password: v.boolean(),
  /** What gives the session more access: a code to the phone, or the payment password or the identity. */
  next_proof: v.optional(v.picklist(['code', 'owner'])),
});

export type Security = v.InferOutput<typeof Security>;

/** Loads how the account can be opened and protected. */
export function getSecurity(signal?: AbortSignal) {
  return postMain('/Member/security', token(), Security, { signal });
}

export const securityQuery = queryOptions({
  queryKey: ['member', 'security'],
  queryFn: ({ signal }) => getSecurity(signal),
});

/** What a code to the customer's own phone is for. */
export type CodePurpose = 'safety' | 'closing' | 'session';

/** Sends a code to the customer's own phone. */
export function sendSecurityCode(purpose: CodePurpose) {
  return postMain('/Member/securitycode', { ...token(), purpose }, Wait);
}

/** Sends a code to the phone that the account shall get, after a challenge if the shop asks for one. */
export function sendNewPhoneCode(phone: string) {
  return withChallenge((answer) => postMain('/Member/newphonecode', { ...token(), phone, ...answer }, Wait));
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
  const { access: granted } = await postMain('/Login/confirm', { ...token(), ...proof }, v.object({ access }));
  session.setAccess(granted);
}

/** Gives the account another phone. */
export function changePhone(phone: string, newcode: string, proof: Proof) {
  return postMain('/Member/changephone', { ...token(), phone, newcode, ...proof }, nothing);
}

/** Takes the phone off the account. */
export function unbindPhone(code: string) {
  return postMain('/Member/unbindphone', { ...token(), code }, nothing);
}

/** Removes an identity in the messaging app from the account; without `openid` all of them. */
export function unbindWechat(code: string, openid?: string) {
  return postMain('/Member/unbindwechat', { ...token(), code, openid }, nothing);
}

const Sessions = v.object({
  sessions: v.array(
    v.object({
      id: text,
      /** What the browser calls itself, or an empty text. */
      device: text,
      /** A part of the network address, or an empty text. */
      network: text,
      created_at: text,
      /** Exact to an hour. */
      used_at: text,
      current: v.boolean(),
    }),
  ),
  identities: v.array(
    v.object({
      openid: text,
      bound_at: text,
      used_at: text,
      /** Whether a code was entered to bind it. */
      confirmed: v.boolean(),
    }),
  ),
});
export type Sessions = v.InferOutput<typeof Sessions>;

/** Loads what can open the account: the sessions and the identities. */
export function getSessions(signal?: AbortSignal) {
  return postMain('/Member/sessions', token(), Sessions, { signal });
}

export const sessionsQuery = queryOptions({
  queryKey: ['member', 'sessions'],
  queryFn: ({ signal }) => getSessions(signal),
  staleTime: 0,
});

/** Ends a session of the account. */
export function endSession(id: string) {
  return postMain('/Member/endsession', { ...token(), id }, nothing);
}

/** Ends all sessions of the account but this one. */
export function endOtherSessions() {
  return postMain('/Member/endsessions', token(), nothing);
}

const Closing = v.object({
  unfinished: v.array(v.object({ order_no: v.string(), kind: v.string(), reason: v.string() })),
  cards: numeric,
  points: text,
  vouchers: numeric,
  phone: text,
});
export type Closing = v.InferOutput<typeof Closing>;

/** Loads what prevents the closing of the account, and what is lost by it. */
export function getClosing(signal?: AbortSignal) {
  return postMain('/Member/closing', token(), Closing, { signal });
}

export const closingQuery = queryOptions({
  queryKey: ['member', 'closing'],
  queryFn: ({ signal }) => getClosing(signal),
  staleTime: 0,
});

/** Closes the account for good. `points` is the number that the customer has confirmed to give up. */
export function closeAccount(points: string, proof: Proof) {
  return postMain('/Member/close', { ...token(), points, ...proof }, nothing);
}

/** An object with these entries, and others as they are. valibot's own looseObject would be loaded by the first page. */
function loose<T extends v.ObjectEntries>(entries: T) {
  return v.pipe(
    v.unknown(),
    v.transform((all) => ({ ...(all as Record<string, unknown>), ...v.parse(v.object(entries), all) })),
  );
}

/** A copy of everything that the shop holds of the customer. Its parts are only shown and saved. */
const DataCopy = loose({
  made_at: text,
  account: loose({
    id: numeric,
    phone: text,
    created_at: text,
    wechat_openids: v.nullish(v.array(v.string()), []),
  }),
  sessions: v.array(loose({ method: text, created_at: text })),
  cards: v.array(loose({ number: text, type: text, points: text })),
  orders: v.array(loose({ no: text, title: text, total: text, created_at: text })),
  events: v.array(loose({ at: text, kind: text, address: text })),
});
export type DataCopy = v.InferOutput<typeof DataCopy>;

/** Fetches the copy. */
export function exportData(proof: Proof) {
  return postMain('/Member/export', { ...token(), ...proof }, DataCopy, { timeout: 30_000 });
}
