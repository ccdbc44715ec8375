import { type ComponentType, lazy } from 'react';
import { type Route, routes } from './routes';

const modules = import.meta.glob<{ default: ComponentType }>('../features/*/*-screen.tsx');

/** Fetches the chunk of a route's screen. */
export function loadScreen({ screen }: Route): Promise<{ default: ComponentType }> {
  const load = modules[`../features/${screen}-screen.tsx`];
  return load ? load() : Promise.reject(new Error(`no screen is called ${screen}`));
}

/** The screen of each path. */
export const screens = new Map(routes.map((route) => [route.path, lazy(() => loadScreen(route))]));
