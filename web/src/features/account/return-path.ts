import { useLocation, useNavigate } from 'react-router';
import * as v from 'valibot';
import { restoreForm } from '../../session/use-login-return';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { ownPrefix } from '../../wire/session';

/** The sessionStorage key of the return path. It is removed with the session, because it may contain a form. */
const key = `${ownPrefix}login-return`;

const ReturnPath = v.object({
  /** The path and query of the page that needed the login. */
  from: v.string(),
  /** Whether that page is the history entry before the login. */
  behind: v.optional(v.boolean(), false),
  /** The state of that page's history entry. */
  entry: v.optional(v.unknown()),
  /** What was entered on that page. */
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

/** Stores the return path before a redirect to the messaging app, during which the router loses its state. */
export function storeReturn(state: unknown): void {
  const found = parseReturn(state);
  if (found) sessionStorage.setItem(key, JSON.stringify(found));
}

/** Returns the page to go to after the login; undefined if the login was opened directly. Removes a stored one. */
export function takeReturn(state: unknown): ReturnPath | undefined {
  const stored = sessionStorage.getItem(key) ?? 'null';
  sessionStorage.removeItem(key);
  return parseReturn(state) ?? parseReturn(JSON.parse(stored));
}

/**
 * Returns a function to call before the session starts, which removes the stored return path. That function returns
 * another one to call afterwards, which replaces the login by the page that needed it, or by the home page. It does
 * nothing if the customer has left the login before the server answered.
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
      // The login stays in the history as the entry to go forward to: clear the form data in it.
      window.history.replaceState({ ...window.history.state, usr: null }, '');
      navigate(-1);
    };
  };
}
