import { isInApp } from '../api/in-app';
import { paths } from '../api/paths';

/** Where one logs in: quick login inside the messaging app, the ordinary login elsewhere. */
export function loginPath(): string {
  return isInApp() ? paths.quickLogin() : paths.login();
}
