import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The vertical scroll position in pixels of each history entry, by the key of its location. */
const positions = new Map<string, number>();

/** Scrolls a new page to its top, and a page reached by back or forward to its last scroll position. */
export function useScrollMemory(): void {
  const { key } = useLocation();
  const navigationType = useNavigationType();

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    const target = navigationType === 'POP' ? (positions.get(key) ?? 0) : 0;
    window.scrollTo(0, target);
    // The page may still be too short. Scroll again in each frame while its content loads, for at most 600 ms.
    let frame = 0;
    const deadline = performance.now() + 600;
    function scrollAgain() {
      if (target === 0 || Math.abs(window.scrollY - target) < 2 || performance.now() > deadline) return;
      window.scrollTo(0, target);
      frame = requestAnimationFrame(scrollAgain);
    }
    frame = requestAnimationFrame(scrollAgain);
    const savePosition = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', savePosition, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', savePosition);
    };
  }, [key, navigationType]);
}
