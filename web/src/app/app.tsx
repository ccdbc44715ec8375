import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import {
  createBrowserRouter,
  type LoaderFunction,
  Navigate,
  type RouteObject,
  RouterProvider,
  useRouteError,
  useSearchParams,
} from 'react-router';
import { followNavigations } from '../shop/navigation';
import { paths } from '../shop/paths';
import { queryClient } from '../shop/query-client';
import { Overlays } from '../ui/overlays';
import { keepBackForPopups } from '../ui/popup-back';
import { useAccess } from '../wire/session';
import { ApiEventHandler } from './api-event-handler';
import { Guard } from './guard';
import { needsProof, type Route, routeOf, routes } from './routes';
import { Loading, Shell } from './shell';

interface ScreenModule {
  default: ComponentType;
  /**
   * Starts the first calls of the page before its screen renders, and does not wait for their answers. If one has
   * failed by the time the screen renders, the screen makes the same call again. So the first calls must not emit
   * events (`wire/events`), for example that the legacy gateway rejected a call: the customer would see the same
   * message twice.
   */
  loader?: LoaderFunction;
}

const screens = import.meta.glob<ScreenModule>('./*/*-screen.tsx', { base: '../features' });

/** Loads the chunk of a route's screen. */
export function loadScreen({ screen }: Route): Promise<ScreenModule> {
  const load = screens[`./${screen}-screen.tsx`];
  return load ? load() : Promise.reject(new Error(`no screen ${screen}`));
}

const NotFound = lazy(() => import('./not-found').then((file) => ({ default: file.NotFound })));
const Incomplete = lazy(() => import('./not-found').then((file) => ({ default: file.Incomplete })));
const ConfirmAccount = lazy(() => loadScreen(routeOf(paths.confirmAccount())!));

/**
 * Renders the screen of a route if the address contains the query values that it needs, and the customer is logged in
 * if it requires that. If the session's access does not suffice, a screen that asks for a proof is rendered instead.
 */
function Entry({ route, Screen }: { route: Route; Screen: ComponentType }) {
  const [query] = useSearchParams();
  const access = useAccess();
  if (!isComplete(route, query)) return <Incomplete />;
  if (!route.auth) return <Screen />;
  return <Guard>{needsProof(route, access) ? <ConfirmAccount /> : <Screen />}</Guard>;
}

function isComplete({ needs = [] }: Route, query: URLSearchParams): boolean {
  return needs.every((name) => query.get(name));
}

/**
 * Throws an error of the router again, such as that a screen could not be loaded, so that the error boundary of the
 * shell shows it.
 */
function RouteError(): never {
  throw useRouteError();
}

function page(route: Route): RouteObject {
  return {
    path: route.path,
    async lazy() {
      const { default: Screen, loader } = await loadScreen(route);
      return {
        element: <Entry route={route} Screen={Screen} />,
        loader: (args, context) =>
          isComplete(route, new URL(args.request.url).searchParams) ? (loader?.(args, context) ?? null) : null,
      };
    },
    // A change of the query selects a filter or a tab. The screen makes the calls for it, so the loader does not run
    // again.
    shouldRevalidate: () => false,
    errorElement: <RouteError />,
    hydrateFallbackElement: <Loading />,
  };
}

const routerWindow = keepBackForPopups();

/** Creates the router of the app, which immediately begins to load the screen of the current address. */
export function createRouter() {
  const router = createBrowserRouter(
    [
      {
        element: (
          <>
            <ApiEventHandler />
            <Shell />
          </>
        ),
        children: [
          { path: '/', element: <Navigate to={paths.home()} replace /> },
          ...routes.map(page),
          { path: '*', element: <NotFound /> },
        ],
      },
    ],
    { window: routerWindow },
  );
  followNavigations(router);
  return router;
}

export function App({ router }: { router: ReturnType<typeof createRouter> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Overlays />
    </QueryClientProvider>
  );
}
