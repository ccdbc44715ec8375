import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useSearchParams } from 'react-router';
import { paths } from '../shop/paths';
import { Overlays } from '../ui/overlays';
import { ApiEventHandler } from './api-event-handler';
import { Guard } from './guard';
import { queryClient } from './query-client';
import { type Route as AppRoute, routes } from './routes';
import { screens } from './screens';
import { Shell } from './shell';

const NotFound = lazy(() => import('./not-found').then((file) => ({ default: file.NotFound })));
const Incomplete = lazy(() => import('./not-found').then((file) => ({ default: file.Incomplete })));

/** Renders the screen of a route if its required query values are present and its login requirement is met. */
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
        <ApiEventHandler />
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
