import { useLocation, useNavigate } from 'react-router';
import * as v from 'valibot';
import { paths } from '../../shop/paths';
import { useMounted } from '../../ui/use-mounted';

/** The sessionStorage key of the return path. */
const key = 'login-return';

const ReturnPath = v.object({
  /** The path and query of the page that needed the login. */
  from: v.string(),
  /** Whether that page is the history entry before the login. */
  behind: v.optional(v.boolean(), false),
});
type ReturnPath = v.InferOutput<typeof ReturnPath>;

/** Reads the return path from a navigation state. An address of another site is ignored. */
function parseReturn(state: unknown): ReturnPath | undefined {
  try {
    const found = v.parse(ReturnPath, state);
    return found.from.startsWith('/') && !found.from.startsWith('//') ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the return path before a redirect to the messaging app, during which the router loses its state. */
export function storeReturn(state: unknown): void {
  const found = parseReturn(state);
  if (found) sessionStorage.setItem(key, JSON.stringify(found));
}

/**
 * Returns where to go after the login, and removes a stored return path: the address that replaces the login, -1 if
 * that page is the history entry before the login, or undefined if the login was opened by itself.
 */
export function takeReturn(state: unknown): string | -1 | undefined {
  const stored = sessionStorage.getItem(key) ?? 'null';
  sessionStorage.removeItem(key);
  const found = parseReturn(state) ?? parseReturn(JSON.parse(stored));
  return found?.behind ? -1 : found?.from;
}

/**
 * Returns a function that leaves the login for the page that needed it, or else for the home page. The login does
 * not stay in the history. The function does nothing if the customer has left the login before the server answered.
 */
export function useLeaveLogin(): () => void {
  const navigate = useNavigate();
  const isMounted = useMounted();
  const { state } = useLocation();
  return () => {
    if (!isMounted()) return;
    const target = takeReturn(state) ?? paths.home();
    if (target === -1 && window.history.length > 1) navigate(-1);
    else navigate(target === -1 ? paths.home() : target, { replace: true });
  };
}
