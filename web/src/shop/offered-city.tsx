import { lazy, Suspense } from 'react';
import type { City } from '../wire/generated/City';
import { useOfferedCity } from './chosen-city';

// The offer is loaded on demand, because few visits need it. If it cannot be loaded, nothing is offered.
const CityOffer = lazy(() => import('./city-offer').catch(() => ({ default: () => null })));

/** The part of a header that offers a city other than the shown one (useOfferedCity). */
export function OfferedCity({ shown }: { shown: City | undefined }) {
  const offered = useOfferedCity(shown);
  return (
    <div className="offered-city" role="status">
      <Suspense fallback={null}>{offered && <CityOffer city={offered} />}</Suspense>
    </div>
  );
}
