import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useToken } from '../api/session';
import { loginPath } from './login-path';

/** Lets the logged-in through; everyone else is sent to log in, and the login page knows where they wanted to go. */
export function Guard({ children }: { children: ReactNode }) {
  const token = useToken();
  const { pathname, search } = useLocation();
  if (token === '') return <Navigate to={loginPath()} replace state={{ from: pathname + search }} />;
  return children;
}
