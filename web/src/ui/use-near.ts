import { useCallback, useState } from 'react';

/** Milliseconds to wait for the page's own pictures. */
const patience = 4000;

/**
 * Whether an element has come within 200 pixels of the visible area, for content that is loaded only then. This is not
 * reported before the pictures of the page are loaded or four seconds have passed, so that the content does not compete
 * with them.
 */
export function useNear(): [near: boolean, observe: (element: HTMLElement | null) => (() => void) | undefined] {
  const [near, setNear] = useState(false);
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '200px' },
    );
    const start = () => observer.observe(element);
    // A picture that never loads must not block the content forever.
    const timer = setTimeout(start, patience);
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('load', start);
      observer.disconnect();
    };
  }, []);
  return [near, observe];
}
