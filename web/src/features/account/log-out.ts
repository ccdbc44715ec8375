import { nothing, postMain, token } from '../../wire/client';

/** Revokes the session token on the server. Errors are not announced to the app. */
export function logOut() {
  return postMain('/Login/logout', token(), nothing, { quiet: true });
}
