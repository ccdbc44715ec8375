import { useEffect, useEffectEvent } from 'react';

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
  const onMessage = useEffectEvent(show);
  const onDelayEnd = useEffectEvent(go);
  useEffect(() => {
    if (message === undefined) return;
    onMessage(message);
    const timer = setTimeout(() => onDelayEnd(), delay);
    return () => clearTimeout(timer);
  }, [message, delay]);
}
