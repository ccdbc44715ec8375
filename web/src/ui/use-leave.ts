import { useEffect, useEffectEvent } from 'react';

const redirectDelay = 1000;

/**
 * For a page that cannot be shown: when `message` is set, passes it to `show`, and after `delay` milliseconds calls
 * `go`, which navigates to another page. If the page is left before, `go` is not called.
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
