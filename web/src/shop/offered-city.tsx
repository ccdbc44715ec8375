import { lazy, Suspense } from 'react';
import type { City } from '../wire/generated/City';
import { useOfferedCity } from './chosen-city';

// Loaded on demand, because few visits need it. If that fails, nothing is offered.
const CityOffer = lazy(() => import('./city-offer').catch(() => ({ default: () => null })));

/** The place in a header where a city other than the shown one is offered. */
export function OfferedCity({ shown }: { shown: City | undefined }) {
  const offered = useOfferedCity(shown);
  return (
    <div className="offered-city" role="status">
      <Suspense fallback={null}>{offered && <CityOffer city={offered} />}</Suspense>
    </div>
  );
}
