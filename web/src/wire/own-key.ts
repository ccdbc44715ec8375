import { ownPrefix, session } from './session';
import { md5Hex } from './signature';

/**
 * Returns the storage key for a name that belongs to the current session. The key contains a hash of the token, so that
 * another session does not find the value, and logout removes it.
 */
export function ownKey(name: string): string {
  return `${ownPrefix}${name} ${md5Hex(session.token())}`;
}
