import { openIDStorage } from '../../session/openid';
import { nothing, post, token } from '../../wire/client';

/** Revokes the session token on the server, and ends quick login by the stored identity. Errors are ignored. */
export function logOut() {
  openIDStorage.remove();
  return post('/Login/logout', token(), nothing, { quiet: true });
}
