import { cleanup } from '@testing-library/react';
import { shownPage } from '../src/session/interrupted-form';
import { restoreForm } from '../src/session/use-login-return';
import { session } from '../src/wire/session';

/**
 * Does what the app does when a login interrupts a page: unmounts the page, logs in, and keeps what was entered in its
 * form. The test can then open the page again.
 */
export function leaveForLogin(token: string, account: string): void {
  const { form } = shownPage;
  cleanup();
  session.logIn(token, account);
  if (form) restoreForm(form);
}
