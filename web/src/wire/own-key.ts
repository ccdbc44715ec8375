import { ownPrefix, session } from './session';
import { md5Hex } from './signature';

/** A storage key that belongs to the present session: no other session reads it, and it is removed at logout. */
export function ownKey(name: string): string {
  return `${ownPrefix}${name} ${md5Hex(session.token())}`;
}
