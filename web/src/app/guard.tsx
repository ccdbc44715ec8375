import { type ReactNode, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { session } from '../wire/session';
import { loginPath } from './login-path';

/**
 * Lets the logged-in enter; everyone else is sent to log in, and the login page knows where they wanted to go. Who loses the
 * session later stays on the page for the second in which it says why.
 */
export function Guard({ children }: { children: ReactNode }) {
  const [entered] = useState(() => session.token() !== '');
  const { pathname, search } = useLocation();
  if (!entered) return <Navigate to={loginPath()} replace state={{ from: pathname + search }} />;
  return children;
}
