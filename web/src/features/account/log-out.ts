import { nothing, postMain, token } from '../../wire/client';

/** Revokes the token. */
export function logOut() {
  return postMain('/Login/logout', token(), nothing, { quiet: true });
}
