import { useCallback, useEffect, useRef } from 'react';
import type { createBrowserRouter } from 'react-router';

let router: ReturnType<typeof createBrowserRouter> | undefined;

/** Sets the router, so that `pathAhead` knows which page it is loading. */
export function followNavigations(of: typeof router): void {
  router = of;
}

/**
 * The path of the page that is being loaded, else of the shown page. The browser's address changes only after a page is
 * loaded.
 */
export function pathAhead(): string {
  return router?.state.navigation.location?.pathname ?? window.location.pathname;
}

/**
 * Returns a function that reports whether the customer is still on the page of the component, and no other page is
 * being loaded. Code that runs after a late answer must call it before it navigates, because its navigation would
 * cancel the customer's.
 */
export function useIsOnPage(): () => boolean {
  const page = useRef<string>(undefined);
  useEffect(() => {
    page.current = window.location.pathname;
    return () => {
      page.current = undefined;
    };
  }, []);
  return useCallback(() => page.current === pathAhead(), []);
}
