import { lazy, Suspense } from 'react';
import { useNear } from '../../ui/use-near';
import type { City } from '../../wire/generated/City';

// If the chunk cannot be loaded, the home page is shown without the strip.
const DramaStrip = lazy(() => import('./drama-strip').catch(() => ({ default: () => null })));

/** The section of stage shows. Its code and its list are loaded when it comes near the visible area. */
export function Dramas({ city }: { city: City }) {
  const [near, observe] = useNear();
  const placeholder = <div ref={observe} className="dramas-wait mq-grid" />;
  if (!near) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <DramaStrip city={city} />
    </Suspense>
  );
}
