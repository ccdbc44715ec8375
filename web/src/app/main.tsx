import '../ui/theme.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { adoptIdentity } from '../session/carried-identity';
import { isInApp } from '../session/in-app';
import { rememberLanding } from '../session/landing-url';
import { paths } from '../shop/paths';
import { reloadForLostChunks } from '../ui/lost-chunks';
import { adoptAddress, session } from '../wire/session';
import { App, createRouter } from './app';
import { prepareLaterPages } from './prepare-later';

document.documentElement.classList.toggle('in-app', isInApp());
rememberLanding();
adoptIdentity(window.location, window.history, paths.login());
const linkToken = adoptAddress(window.location, window.history);
reloadForLostChunks();
prepareLaterPages();

/**
 * Logs in with the token that another site has put into the address of a link to the app. The code is loaded on demand,
 * because few visits start with such a link. Never rejects.
 */
const logInByLink = (token: string) =>
  import('../session/log-in-by-link').then((file) => file.logInByLink(token)).catch(() => {});

/**
 * Renders the app once the screen of the address is loaded. Until then the placeholder of the page stays. A transition
 * renders in short steps, so that the page still reacts to touches while it renders a long list.
 */
function render() {
  const router = createRouter();
  const show = () =>
    startTransition(() =>
      createRoot(document.getElementById('root') as HTMLElement).render(
        <StrictMode>
          <App router={router} />
        </StrictMode>,
      ),
    );
  if (router.state.initialized) return show();
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return;
    stop();
    show();
  });
}

// Without a session, the app is rendered only after the token in the address has been exchanged; otherwise a page that
// needs a login would redirect to it. For a customer who is logged in, the exchange may show a dialog, which needs the
// rendered page.
if (!linkToken) render();
else if (session.token() === '') void logInByLink(linkToken).then(render);
else {
  render();
  void logInByLink(linkToken);
}
