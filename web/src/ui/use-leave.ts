import { useEffect, useRef } from 'react';

const redirectDelay = 1000;

/** As soon as there are words for why a page cannot stay, they are said, and a second later it is left; unless it is gone by then. */
export function useLeave(
  words: string | undefined,
  say: (words: string) => void,
  go: () => void,
  delay = redirectDelay,
): void {
  const way = useRef({ say, go });
  useEffect(() => {
    way.current = { say, go };
  });
  useEffect(() => {
    if (words === undefined) return;
    way.current.say(words);
    const timer = setTimeout(() => way.current.go(), delay);
    return () => clearTimeout(timer);
  }, [words, delay]);
}
