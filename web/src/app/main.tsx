import '../ui/theme.css';
import '../api/landing';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { adoptAddress } from '../api/session';
import { App } from './app';
import { prefetchAfterFirstTouch } from './prefetch';

adoptAddress(window.location, window.history);
prefetchAfterFirstTouch();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
