import '../ui/theme.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { adoptIdentity } from '../session/carried-identity';
import { isInApp } from '../session/in-app';
import { rememberLanding } from '../session/landing-url';
import { paths } from '../shop/paths';
import { reloadForLostChunks } from '../ui/lost-chunks';
import { adoptAddress, session } from '../wire/session';
import { App } from './app';
import { prepareFirstScreen } from './first-screen';
import { prepareLaterPages } from './prepare-later';

document.documentElement.classList.toggle('in-app', isInApp());
rememberLanding();
adoptIdentity(window.location, window.history, paths.login());
const linkToken = adoptAddress(window.location, window.history);
reloadForLostChunks();
prepareLaterPages();

/** Logs in with the token of a link. It is loaded on demand, because few visits start with one. Never rejects. */
const logInByLink = (token: string) =>
  import('../session/log-in-by-link').then((file) => file.logInByLink(token)).catch(() => {});

async function render() {
  await prepareFirstScreen();
  const root = createRoot(document.getElementById('root') as HTMLElement);
  // As a transition, the render is split into short tasks. The page's placeholder stays until it is complete.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

// A page that needs a login must not redirect before the token of a link has been exchanged. For a customer who is
// logged in, the exchange may show a dialog, which needs the rendered page.
if (!linkToken) void render();
else if (session.token() === '') void logInByLink(linkToken).then(render);
else void render().then(() => logInByLink(linkToken));
