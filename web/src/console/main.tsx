import '../ui/theme.css';
import './console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { reloadForLostChunks } from '../ui/lost-chunks';
import { Overlays } from '../ui/overlays';
import { newQueries } from './api/queries';
import { App } from './app';

reloadForLostChunks();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={newQueries()}>
      {/* Without transitions, a field whose value is in the address shows each keystroke at once. */}
      <BrowserRouter useTransitions={false}>
        <App />
      </BrowserRouter>
      <Overlays />
    </QueryClientProvider>
  </StrictMode>,
);
