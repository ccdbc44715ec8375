import { ownPrefix, session } from './session';
import { md5Hex } from './signature';

/** A storage key of the current session: other sessions cannot read it, and it is removed at logout. */
export function ownKey(name: string): string {
  return `${ownPrefix}${name} ${md5Hex(session.token())}`;
}
