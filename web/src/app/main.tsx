import '../ui/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { rememberLanding } from '../session/landing-url';
import { adoptAddress } from '../wire/session';
import { App } from './app';
import { registerServiceWorker } from './register-service-worker';
import { prefetchAfterFirstTouch } from './screens';

rememberLanding();
adoptAddress(window.location, window.history);
prefetchAfterFirstTouch();
if (import.meta.env.PROD) registerServiceWorker();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
