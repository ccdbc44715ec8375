import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useSearchParams } from 'react-router';
import { paths } from '../shop/paths';
import { Overlays } from '../ui/overlays';
import { keepBackForPopups } from '../ui/popup-back';
import { useAccess } from '../wire/session';
import { ApiEventHandler } from './api-event-handler';
import { Guard } from './guard';
import { queryClient } from './query-client';
import { type Route as AppRoute, needsProof, routes } from './routes';
import { screens } from './screens';
import { Shell } from './shell';

const NotFound = lazy(() => import('./not-found').then((file) => ({ default: file.NotFound })));
const Incomplete = lazy(() => import('./not-found').then((file) => ({ default: file.Incomplete })));

const ConfirmAccount = screens.get(paths.confirmAccount())!;

/**
 * Renders the screen of a route if its required query values are present and its login requirement is met. If the
 * session may not use the page, a screen that asks for a proof is shown instead.
 */
function Entry({ route, Screen }: { route: AppRoute; Screen: ComponentType }) {
  const [query] = useSearchParams();
  const access = useAccess();
  if (route.needs?.some((name) => !query.get(name))) return <Incomplete />;
  if (!route.auth) return <Screen />;
  return <Guard>{needsProof(route, access) ? <ConfirmAccount /> : <Screen />}</Guard>;
}

const routerWindow = keepBackForPopups();

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter window={routerWindow}>
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
