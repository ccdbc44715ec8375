import { lazy, Suspense, useCallback, useState } from 'react';
import type { City } from '../../shop/city';

// Home does without a strip that does not come.
const DramaStrip = lazy(() => import('./drama-strip').catch(() => ({ default: () => null })));

/** The place of the stage projects: code and list are fetched as it comes near, and weigh nothing before. */
export function Dramas({ city }: { city: City }) {
  const [near, setNear] = useState(false);
  const watch = useCallback((place: HTMLElement | null) => {
    if (!place) return;
    const watcher = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: '200px',
    });
    watcher.observe(place);
    return () => watcher.disconnect();
  }, []);
  const place = <div ref={watch} className="dramas-wait" />;
  if (!near) return place;
  return (
    <Suspense fallback={place}>
      <DramaStrip city={city} />
    </Suspense>
  );
}
