import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const places = new Map<string, number>();

/** A new page starts at its top; going back returns to where one was. */
export function useScrollMemory(): void {
  const { key } = useLocation();
  const how = useNavigationType();

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    const wanted = how === 'POP' ? (places.get(key) ?? 0) : 0;
    window.scrollTo(0, wanted);
    // The page may not be high enough yet: try again while its content arrives.
    let frame = 0;
    const until = performance.now() + 600;
    function settle() {
      if (wanted === 0 || Math.abs(window.scrollY - wanted) < 2 || performance.now() > until) return;
      window.scrollTo(0, wanted);
      frame = requestAnimationFrame(settle);
    }
    frame = requestAnimationFrame(settle);
    const remember = () => places.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', remember);
    };
  }, [key, how]);
}
