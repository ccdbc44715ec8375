import { useCallback, useState } from 'react';

/** The longest time in milliseconds to wait for the pictures of the page. */
const patience = 4000;

/**
 * Reports whether an element has come within 200 pixels of the visible area, so that its content can be loaded only
 * then. Pass `observe` as the ref of the element. `near` stays false until the pictures of the page are loaded or four
 * seconds have passed, so that the content does not compete with them.
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
    // A picture that never finishes loading must not block the content forever.
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
