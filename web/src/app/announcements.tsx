import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { on } from '../api/events';
import { useBack } from '../api/use-back';
import { toast } from '../ui/toast';
import { loginPath } from './login-path';
import { metaOf } from './routes';

const redirectDelay = 1000;
const reloadMark = 'gateway-reload';

/** Does what the calls of the api ask of the app around them. Renders nothing. */
export function Announcements() {
  const navigate = useNavigate();
  const back = useBack();
  const location = useLocation();
  const here = useRef(location);
  useEffect(() => {
    here.current = location;
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function later(act: () => void) {
      // Several calls may fail at once; the first decides.
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, redirectDelay);
    }
    const stops = [
      on('loginRequired', () => {
        toast('请先登录');
        const { pathname, search } = here.current;
        later(() => {
          if (here.current.pathname === loginPath()) return;
          const from = pathname + search;
          // A page for buyers gives its place to the login, as it does to those who come without one. A page for everybody
          // stays behind it, to go back to with and without a login.
          if (metaOf(pathname)?.auth) navigate(loginPath(), { replace: true, state: { from } });
          else navigate(loginPath(), { state: { from, behind: true } });
        });
      }),
      on('gatewayRefused', ({ message }) => {
        toast(message);
        later(back);
      }),
      on('reload', reloadOnce),
    ];
    return () => {
      // `navigate` is another one on another page: who has gone on in that second is not led away from there.
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [navigate, back]);

  return null;
}

/** The gateway may ask for a reload again and again; the page obeys once in ten seconds. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadMark) ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem(reloadMark, String(Date.now()));
  window.location.reload();
}
