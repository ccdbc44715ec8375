import { isInApp } from '../session/in-app';
import { paths } from '../shop/paths';

/** Where one logs in: quick login inside the messaging app, the ordinary login elsewhere. */
export function loginPath(): string {
  return isInApp() ? paths.quickLogin() : paths.login();
}
