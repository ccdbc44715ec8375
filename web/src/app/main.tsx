import '../ui/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { rememberLanding } from '../session/landing-url';
import { adoptAddress } from '../wire/session';
import { App } from './app';
import { keepOnPhone } from './keep-on-phone';
import { prefetchAfterFirstTouch } from './prefetch';

rememberLanding();
adoptAddress(window.location, window.history);
prefetchAfterFirstTouch();
if (import.meta.env.PROD) keepOnPhone();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
