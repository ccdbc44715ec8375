import { lazy, Suspense } from 'react';
import type { City } from '../../shop/city';
import { useNear } from '../../ui/use-near';

// If the chunk cannot be loaded, the home page is shown without the strip.
const DramaStrip = lazy(() => import('./drama-strip').catch(() => ({ default: () => null })));

/** Loads the code and the list of stage shows when the section comes near the visible area. */
export function Dramas({ city }: { city: City }) {
  const [near, observe] = useNear();
  const placeholder = <div ref={observe} className="dramas-wait" />;
  if (!near) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <DramaStrip city={city} />
    </Suspense>
  );
}
