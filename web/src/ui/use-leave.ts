import { useEffect, useRef } from 'react';

const redirectDelay = 1000;

/**
 * When `message` is set, passes it to `show`, and calls `go` after `delay` milliseconds unless the page is left before.
 */
export function useLeave(
  message: string | undefined,
  show: (message: string) => void,
  go: () => void,
  delay = redirectDelay,
): void {
  const callbacks = useRef({ show, go });
  useEffect(() => {
    callbacks.current = { show, go };
  });
  useEffect(() => {
    if (message === undefined) return;
    callbacks.current.show(message);
    const timer = setTimeout(() => callbacks.current.go(), delay);
    return () => clearTimeout(timer);
  }, [message, delay]);
}
