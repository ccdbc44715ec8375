import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { carriedIdentity } from '../session/carried-identity';
import { shownPage } from '../session/interrupted-form';
import { pathAhead } from '../shop/navigation';
import { paths } from '../shop/paths';
import { useBack } from '../shop/use-back';
import { toast } from '../ui/toast';
import { on } from '../wire/events';
import { loginPath } from './guard';
import { routeOf } from './routes';

/** Milliseconds that a message is shown before the app leaves the page. */
const redirectDelay = 1000;
/** The sessionStorage key of the address and the time of the last reload. */
const reloadKey = 'gateway-reload';
/**
 * Milliseconds after a reload during which the same page is not reloaded again. This must be longer than a page takes
 * to load and to fail again; otherwise the page would be reloaded forever.
 */
const reloadInterval = 5 * 60_000;

/** Handles the events of API calls: shows their message, redirects or reloads. Renders nothing. */
export function ApiEventHandler() {
  const navigate = useEffectEvent(useNavigate());
  const back = useEffectEvent(useBack());

  useEffect(() => {
    let pending: { path: string; timer: ReturnType<typeof setTimeout> } | undefined;
    /** Runs `redirect` after `redirectDelay`, unless the customer has left the page by then. */
    function redirectLater(redirect: () => void) {
      const path = pathAhead();
      // Several calls of a page may fail at once. Only the first failure redirects.
      if (pending?.path === path) return;
      clearTimeout(pending?.timer);
      const timer = setTimeout(() => {
        pending = undefined;
        if (pathAhead() === path) redirect();
      }, redirectDelay);
      pending = { path, timer };
    }
    function leave(message: string) {
      toast(message);
      redirectLater(() => back());
    }
    const unsubscribers = [
      on('loginRequired', ({ next }) => {
        toast('请先登录');
        const { pathname, search } = window.location;
        // The login page is already shown, or is being loaded because of an earlier failed call.
        if ([pathname, pathAhead()].some((path) => routeOf(path)?.path === loginPath())) return;
        // The end of the session has emptied the query cache. While the message is shown, the page loads its data again
        // and may unmount its form, which clears `shownPage.form`. So the form is read now.
        const { form } = shownPage;
        redirectLater(() => {
          // In the history the login replaces a page that needs it, as in Guard. A public page keeps its entry, so
          // that the customer can go back to it with or without a login.
          const replace = !!routeOf(pathname)?.auth;
          navigate(loginPath(), {
            replace,
            state: next
              ? { from: next }
              : {
                  from: pathname + search,
                  behind: !replace,
                  entry: window.history.state?.usr,
                  form: shownPage.form ?? form,
                },
          });
        });
      }),
      on('gatewayRejected', ({ message }) => leave(message)),
      on('reload', ({ message }) => {
        if (mayReload()) window.location.reload();
        else leave(message);
      }),
      on('busy', () => toast('当前访问人数过多，正在重试')),
      on('identityUnbound', (identity) => {
        toast('请验证手机号，确认要绑定的账号');
        const from = window.location.pathname + window.location.search;
        carriedIdentity.set(identity);
        navigate(paths.login({ isphone: '1' }), { replace: true, state: { from } });
      }),
    ];
    return () => {
      clearTimeout(pending?.timer);
      for (const unsubscribe of unsubscribers) unsubscribe();
    };
  }, []);

  return null;
}

/**
 * Reports whether the page may be reloaded, and if so, stores its address and the time. The same address is reloaded
 * only once in `reloadInterval`, because the legacy gateway may answer every call with the code that asks for a reload.
 */
function mayReload(): boolean {
  const address = window.location.pathname + window.location.search;
  const [at, reloaded] = sessionStorage.getItem(reloadKey)?.split(' ') ?? [];
  if (reloaded === address && Date.now() - Number(at) < reloadInterval) return false;
  sessionStorage.setItem(reloadKey, `${Date.now()} ${address}`);
  return true;
}
