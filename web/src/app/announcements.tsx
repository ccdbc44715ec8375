import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useBack } from '../shop/use-back';
import { toast } from '../ui/toast';
import { on } from '../wire/events';
import { loginPath } from './login-path';
import { routeOf } from './routes';

const redirectDelay = 1000;
const reloadMark = 'gateway-reload';

/** Does what the calls of the api ask of the app around them. Renders nothing. */
export function Announcements() {
  const navigate = useNavigate();
  const back = useBack();
  const go = useRef({ navigate, back });
  useEffect(() => {
    go.current = { navigate, back };
  });

  useEffect(() => {
    let due: { at: string; timer: ReturnType<typeof setTimeout> } | undefined;
    /** In a second, unless the page has been left by then: who has gone on is not led away from there. */
    function later(act: () => void) {
      const at = window.location.pathname;
      // Several calls of a page may fail at once; the first decides.
      if (due?.at === at) return;
      clearTimeout(due?.timer);
      const timer = setTimeout(() => {
        due = undefined;
        if (window.location.pathname === at) act();
      }, redirectDelay);
      due = { at, timer };
    }
    const stops = [
      on('loginRequired', () => {
        toast('请先登录');
        const { pathname, search } = window.location;
        if (pathname === loginPath()) return;
        later(() => {
          const from = pathname + search;
          // A page for buyers gives its place to the login, as it does to those who come without one. A page for everybody
          // stays behind it, to go back to with and without a login.
          if (routeOf(pathname)?.auth) go.current.navigate(loginPath(), { replace: true, state: { from } });
          else go.current.navigate(loginPath(), { state: { from, behind: true } });
        });
      }),
      on('gatewayRefused', ({ message }) => {
        toast(message);
        later(() => go.current.back());
      }),
      on('reload', reloadOnce),
    ];
    return () => {
      clearTimeout(due?.timer);
      for (const stop of stops) stop();
    };
  }, []);

  return null;
}

/** The gateway may ask for a reload again and again; the page obeys once in ten seconds. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadMark) ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem(reloadMark, String(Date.now()));
  window.location.reload();
}
