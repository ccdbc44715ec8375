import { type ComponentType, lazy } from 'react';
import { loadSignature } from '../wire/client';
import { prefetched } from './lost-chunks';
import { type Route, routes } from './routes';
import type { ScreenModule } from './screen-modules';

const loadScreenModules = () => import('./screen-modules');

/** The link with which the server's page names the file of its own screen. There is none in development and offline. */
const ownScreen = document.querySelector<HTMLLinkElement>('link[data-screen]');

/** Loads the chunk of a route's screen. The first page, whose screen the server names, needs no names of the others. */
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

const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 300));

/**
 * Loads what later pages need while the browser is idle, so that they do not wait for a weak network: the names of the
 * screens once the page has loaded, the signature and the chunks of all screens after the first touch. Does nothing if
 * the browser is set to save data.
 */
export function prefetchLaterPages(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  window.addEventListener('load', () => prefetch([loadScreenModules]), { once: true });
  const loads = [loadSignature, ...routes.map((route) => () => loadScreen(route))];
  window.addEventListener('pointerdown', () => prefetch(loads), { once: true, passive: true });
}

/** Loads one after the other. The first failure ends the prefetch: the other chunks are loaded when they are needed. */
function prefetch([load, ...rest]: (() => Promise<unknown>)[]): void {
  if (!load) return;
  whenIdle(
    () =>
      void prefetched(load).then(
        () => prefetch(rest),
        () => {},
      ),
  );
}
