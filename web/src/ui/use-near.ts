import { useCallback, useState } from 'react';

/**
 * Whether an element has come within 200 pixels of the visible area, for content that is loaded only then. It is not
 * near before the page's own pictures are loaded, so that its content does not compete with them.
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
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true });
    return () => {
      window.removeEventListener('load', start);
      observer.disconnect();
    };
  }, []);
  return [near, observe];
}
