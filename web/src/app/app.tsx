import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useSearchParams } from 'react-router';
import { paths } from '../shop/paths';
import { Overlays } from '../ui/overlays';
import { Announcements } from './announcements';
import { Guard } from './guard';
import { Incomplete, NotFound } from './not-found';
import { queryClient } from './query-client';
import { type Route as AppRoute, routes } from './routes';
import { screens } from './screens';
import { Shell } from './shell';

/** A page, for whom it is for and with what it is about. */
function Entry({ route: { auth, needs = [] }, Screen }: { route: AppRoute; Screen: ComponentType }) {
  const [query] = useSearchParams();
  if (needs.some((name) => !query.get(name))) return <Incomplete />;
  if (!auth) return <Screen />;
  return (
    <Guard>
      <Screen />
    </Guard>
  );
}

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <Announcements />
        <Routes>
          <Route element={<Shell />}>
            <Route path="/" element={<Navigate to={paths.home()} replace />} />
            {routes.map((route) => (
              <Route
                key={route.path}
                path={route.path}
                element={<Entry route={route} Screen={screens.get(route.path)!} />}
              />
            ))}
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </BrowserRouter>
      <Overlays />
    </QueryClientProvider>
  );
}
