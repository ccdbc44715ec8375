import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { loadDialog } from '../ui/overlays';
import { loadSignature } from '../wire/client';
import { type Route, routes } from './routes';

interface ScreenModule {
  default: ComponentType;
  /**
   * Puts the answers to the screen's first calls into the cache, for the query values of an address. It announces no
   * refusal, because it is called before the app listens to events. Rejections do not matter: the screen calls again.
   */
  preload?: (client: QueryClient, query: URLSearchParams) => Promise<unknown>;
}

const modules = import.meta.glob<ScreenModule>('./*/*-screen.tsx', { base: '../features' });

/** Loads the chunk of a route's screen. */
export function loadScreen({ screen }: Route): Promise<ScreenModule> {
  return modules[`./${screen}-screen.tsx`]?.() ?? Promise.reject(new Error(`no screen ${screen}`));
}

/** The screen of each route, by the route's path. */
export const screens = new Map<string, ComponentType>(
  routes.map((route) => [route.path, lazy(() => loadScreen(route))]),
);

/**
 * Loads the signature, the dialog and the chunks of all screens while the browser is idle after the first touch, so that
 * a later page does not wait for a weak network. Does nothing if the browser is set to save data.
 */
export function prefetchAfterFirstTouch(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const loads = [loadSignature, loadDialog, ...routes.map((route) => () => loadScreen(route))];
  window.addEventListener('pointerdown', () => prefetch(loads), { once: true, passive: true });
}

/** Loads one after the other. The first failure ends the prefetch: the other chunks are loaded when they are needed. */
function prefetch([load, ...rest]: (() => Promise<unknown>)[]): void {
  if (!load) return;
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 300));
  whenIdle(
    () =>
      void load().then(
        () => prefetch(rest),
        () => {},
      ),
  );
}
