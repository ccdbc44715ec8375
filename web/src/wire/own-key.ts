import { accountKey, ownPrefix, session } from './session';
import { md5Hex } from './signature';

/** A storage key that belongs to the present session: no other session reads it, and it is removed at logout. */
export function ownKey(name: string): string {
  return `${ownPrefix}${name} ${md5Hex(session.token())}`;
}

/** The id of the account that is logged in; '' if it is not known. */
export function ownAccount(): string {
  try {
    return localStorage.getItem(accountKey) ?? '';
  } catch {
    return '';
  }
}
