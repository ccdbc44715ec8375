import { type ReactNode, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { isInApp } from '../session/in-app';
import { paths } from '../shop/paths';
import { session } from '../wire/session';

/** The address of the login: quick login inside the messaging app, the form elsewhere. */
export function loginPath(): string {
  return isInApp() ? paths.quickLogin() : paths.login();
}

/**
 * Renders its children for a customer with a session, and redirects to the login otherwise. The navigation state
 * contains what is needed to come back: in `from` the requested address, and in `entry` the state of its history entry.
 * A session that ends while the page is open does not redirect here: ApiEventHandler shows the message first and
 * redirects a second later.
 */
export function Guard({ children }: { children: ReactNode }) {
  const [entered] = useState(() => session.token() !== '');
  const { pathname, search, state } = useLocation();
  if (!entered)
    return <Navigate to={loginPath()} replace state={{ from: pathname + search, entry: state ?? undefined }} />;
  return children;
}
