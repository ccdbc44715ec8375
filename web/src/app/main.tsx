import '../ui/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isInApp } from '../session/in-app';
import { rememberLanding } from '../session/landing-url';
import { adoptAddress } from '../wire/session';
import { App } from './app';
import { registerServiceWorker } from './register-service-worker';
import { prefetchAfterFirstTouch } from './screens';

document.documentElement.classList.toggle('in-app', isInApp());
rememberLanding();
const linkCode = adoptAddress(window.location, window.history);
prefetchAfterFirstTouch();
if (import.meta.env.PROD) registerServiceWorker();

function render() {
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

/** Logs in by a link's code. Without the code of the login, which few visits need, the app starts without a session. */
async function logIn(code: string): Promise<void> {
  const login = await import('../session/log-in-by-link').catch(() => undefined);
  await login?.logInByLink(code);
}

// A page that needs a login must not redirect before a login link has been exchanged.
if (linkCode) void logIn(linkCode).then(render);
else render();
