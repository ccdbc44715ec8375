import { openIDStorage } from '../../session/openid';
import { nothing, post, token } from '../../wire/client';

/**
 * Revokes the session token on the server, and removes the stored identity, so that quick login does not use it again.
 * Callers ignore a failure, because they end the session on this phone in any case.
 */
export function logOut() {
  openIDStorage.remove();
  return post('/Login/logout', token(), nothing, { quiet: true });
}
