import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';

export interface ScreenModule {
  default: ComponentType;
  /**
   * Puts the answers to the screen's first calls into the cache, for the query values of an address. It must not emit
   * events, because it is called before the app listens to them. It may reject: the screen then repeats the calls.
   */
  preload?: (client: QueryClient, query: URLSearchParams) => Promise<unknown>;
}

/** The functions that load the screens, by file. A separate chunk, because they list a hundred files. */
export const screenModules = import.meta.glob<ScreenModule>('./*/*-screen.tsx', { base: '../features' });
