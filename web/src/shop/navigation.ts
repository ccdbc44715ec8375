import { useCallback, useEffect, useRef } from 'react';
import type { createBrowserRouter } from 'react-router';

let router: ReturnType<typeof createBrowserRouter> | undefined;

/** Sets the router whose navigations `pathAhead` knows. */
export function followNavigations(of: typeof router): void {
  router = of;
}

/** The path of the page that is being loaded, else of the shown one. The address changes once a page is loaded. */
export function pathAhead(): string {
  return router?.state.navigation.location?.pathname ?? window.location.pathname;
}

/**
 * Returns a function that reports whether the customer is still on the page of the component, and not leaving it. Code
 * that runs after a late answer must ask it before it navigates, because a navigation cancels the one to a page that is
 * being loaded.
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
