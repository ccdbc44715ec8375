import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that reports whether the component is still mounted. After a late answer, a page that was left
 * shows a message and does not navigate.
 */
export function useMounted(): () => boolean {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return useCallback(() => mounted.current, []);
}
