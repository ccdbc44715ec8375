import { lazy, Suspense, useCallback, useState } from 'react';
import type { City } from '../../shop/city';

// If the chunk cannot be loaded, the home page is shown without the strip.
const DramaStrip = lazy(() => import('./drama-strip').catch(() => ({ default: () => null })));

/** Loads the code and the list of stage shows when the section is within 200 pixels of the visible area. */
export function Dramas({ city }: { city: City }) {
  const [near, setNear] = useState(false);
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: '200px',
      },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const placeholder = <div ref={observe} className="dramas-wait" />;
  if (!near) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <DramaStrip city={city} />
    </Suspense>
  );
}
