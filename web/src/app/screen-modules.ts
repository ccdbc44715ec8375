import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';

export interface ScreenModule {
  default: ComponentType;
  /**
   * Puts the answers to the screen's first calls into the cache, for the query values of an address. It announces no
   * refusal, because it is called before the app listens to events. Rejections do not matter: the screen calls again.
   */
  preload?: (client: QueryClient, query: URLSearchParams) => Promise<unknown>;
}

/** The functions that load the screens, by file. A chunk of its own: they name a hundred files. */
export const screenModules = import.meta.glob<ScreenModule>('./*/*-screen.tsx', { base: '../features' });
