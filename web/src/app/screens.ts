import { type ComponentType, lazy } from 'react';
import { type Route, routes } from './routes';
import type { ScreenModule } from './screen-modules';

export const loadScreenModules = () => import('./screen-modules');

/** The link to the chunk of the page's screen, which the server adds. There is none in development and offline. */
const ownScreen = document.querySelector<HTMLLinkElement>('link[data-screen]');

/** Loads the chunk of a route's screen. The first page has a link to its chunk and need not load the table of all. */
export function loadScreen(route: Route): Promise<ScreenModule> {
  if (ownScreen?.dataset.screen !== route.path) return loadFromTable(route);
  // Vite does not report a failure of this import.
  return import(/* @vite-ignore */ ownScreen.href).catch(() => loadFromTable(route));
}

async function loadFromTable({ screen }: Route): Promise<ScreenModule> {
  const { screenModules } = await loadScreenModules();
  const load = screenModules[`./${screen}-screen.tsx`];
  if (!load) throw new Error(`no screen ${screen}`);
  return load();
}

/** The screen of each route, by the route's path. */
export const screens = new Map<string, ComponentType>(
  routes.map((route) => [route.path, lazy(() => loadScreen(route))]),
);
