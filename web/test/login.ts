import { cleanup } from '@testing-library/react';
import { shownPage } from '../src/session/interrupted-form';
import { restoreForm } from '../src/session/use-login-return';
import { session } from '../src/wire/session';

/** Leaves the page for the login and logs in, as the redirect and the login screen do. The page can then be opened again. */
export function leaveForLogin(token: string, account: string): void {
  const { form } = shownPage;
  cleanup();
  session.logIn(token, account);
  if (form) restoreForm(form);
}
