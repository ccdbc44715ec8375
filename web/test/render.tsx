import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { Overlays } from '../src/ui/overlays';

function Where() {
  const { pathname, search } = useLocation();
  return <output data-testid="where">{pathname + search}</output>;
}

/**
 * Renders a screen at an address with the app's router, query client, toasts and dialogs. Any other address shows an
 * empty page; `where()` returns the current address. `before` are the earlier pages in the history.
 */
export function renderScreen(screen: ReactNode, address = '/', before = ['/before']) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } });
  const [pathname] = address.split('?');
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[...before, address]} initialIndex={before.length}>
        <Routes>
          <Route path={pathname} element={screen} />
          <Route path="*" element={null} />
        </Routes>
        <Where />
      </MemoryRouter>
      <Overlays />
    </QueryClientProvider>,
  );
  return { ...view, queries, where: () => view.getByTestId('where').textContent };
}

/** Waits for a toast. An open popup repeats it for screen readers. */
export function findToast(message: string): Promise<HTMLElement> {
  return screen.findByText(message, { selector: '.mq-toast *' });
}
