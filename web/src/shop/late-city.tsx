import { lazy, Suspense } from 'react';
import { useLateCity } from './chosen-city';
import type { City } from './city';

// Few visits need it. If the chunk cannot be loaded, nothing is offered.
const CityOffer = lazy(() => import('./city-offer').catch(() => ({ default: () => null })));

/** The place in a header where the phone's city is offered if it became known after the page had begun with `shown`. */
export function LateCity({ shown }: { shown: City | undefined }) {
  const late = useLateCity(shown);
  return (
    <div className="late-city" role="status">
      <Suspense fallback={null}>{late && <CityOffer city={late} />}</Suspense>
    </div>
  );
}
