import { useLocation, useNavigate } from 'react-router';
import * as v from 'valibot';
import { restoreForm } from '../../session/use-login-return';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { ownPrefix } from '../../wire/session';

/** The sessionStorage key of the return path. Its prefix makes the logout remove it, because it may contain a form. */
const key = `${ownPrefix}login-return`;

const ReturnPath = v.object({
  /** The path and query of the page that needed the login. */
  from: v.string(),
  /** Whether the page that needed the login is the history entry before the login. */
  behind: v.optional(v.boolean(), false),
  /** The state of the history entry of the page that needed the login. */
  entry: v.optional(v.unknown()),
  /** What was entered on the page that needed the login. */
  form: v.optional(v.object({ key: v.string(), account: v.string(), value: v.unknown() })),
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

/**
 * Stores the return path before a redirect to the messaging app's OAuth page. The history state is lost by this
 * redirect.
 */
export function storeReturn(state: unknown): void {
  const found = parseReturn(state);
  if (found) sessionStorage.setItem(key, JSON.stringify(found));
}

/**
 * Returns the page to go to after the login; undefined if the login was opened directly. A stored return path is
 * removed.
 */
export function takeReturn(state: unknown): ReturnPath | undefined {
  const stored = sessionStorage.getItem(key) ?? 'null';
  sessionStorage.removeItem(key);
  return parseReturn(state) ?? parseReturn(JSON.parse(stored));
}

/**
 * Returns a function to call before `session.logIn`, which reads and removes the return path. That function returns a
 * second one to call after `session.logIn`, which replaces the login page by the page that needed the login, or by the
 * home page. The second one does nothing if the customer has left the login page before the server answered.
 */
export function useLeaveLogin(): () => () => void {
  const navigate = useNavigate();
  const isOnPage = useIsOnPage();
  const { state } = useLocation();
  return () => {
    const page = isOnPage() ? (takeReturn(state) ?? { from: paths.home(), behind: false }) : undefined;
    return () => {
      if (!page) return;
      if (page.form) restoreForm(page.form);
      if (!page.behind) return navigate(page.from, { replace: true, state: page.entry });
      if (window.history.length <= 1) return navigate(paths.home(), { replace: true });
      // The login page stays in the history as the entry after the current one. Remove the form from its state.
      window.history.replaceState({ ...window.history.state, usr: null }, '');
      navigate(-1);
    };
  };
}
