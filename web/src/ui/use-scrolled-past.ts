import { useEffect, useState } from 'react';

/** Whether an element has been scrolled under the title bar. */
export function useScrolledPast(element: HTMLElement | null): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    if (!element) return;
    const bar = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bar')) || 0;
    const observer = new IntersectionObserver(
      (entries) =>
        setPast(entries.some((entry) => entry.intersectionRatio < 0.9 && entry.boundingClientRect.top < bar)),
      { rootMargin: `-${bar}px 0px 0px`, threshold: 0.9 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return past;
}
