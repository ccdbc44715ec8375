import { cleanup } from '@testing-library/react';
import { shownPage } from '../src/session/interrupted-form';
import { restoreForm } from '../src/session/use-login-return';
import { session } from '../src/wire/session';

/** Redirects from the page to the login and logs in, as the app does. The page can then be opened again. */
export function leaveForLogin(token: string, account: string): void {
  const { form } = shownPage;
  cleanup();
  session.logIn(token, account);
  if (form) restoreForm(form);
}
