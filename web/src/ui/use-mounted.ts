import { useCallback, useEffect, useRef } from 'react';

/** Whether the page that asked still stands when an answer comes: whoever has gone on is told, and not moved. */
export function useMounted(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return useCallback(() => here.current, []);
}
