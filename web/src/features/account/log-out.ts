import { nothing, postMain, token } from '../../api/client';

/** Revokes the token. */
export function logOut() {
  return postMain('/Login/logout', token(), nothing, { quiet: true });
}
