import { yuan } from '../../shop/price';
import type { Cinema } from './list-cinemas';
import { isLegacy } from './listed-cinema';

/** The price of the cheapest ticket in yuan; empty if the source does not give one. */
export function lowestPrice(cinema: Cinema): string {
  const price = Number(cinema.price);
  if (!Number.isFinite(price) || price <= 0) return '';
  // A legacy price without a decimal point is in cents; every other price is in yuan.
  return isLegacy(cinema) && !cinema.price.includes('.') ? yuan(price) : cinema.price;
}

/** The one cinema with the lowest figure; undefined if fewer than two have a figure, or if several have the lowest. */
export function extreme(cinemas: readonly Cinema[], figure: (cinema: Cinema) => string): Cinema | undefined {
  const known = cinemas.filter((cinema) => figure(cinema) !== '');
  const least = Math.min(...known.map((cinema) => Number(figure(cinema))));
  const [first, second] = known.filter((cinema) => Number(figure(cinema)) === least);
  return known.length > 1 && !second ? first : undefined;
}

/** The cinemas by their lowest price; those without one are last. */
export function byPrice(cinemas: readonly Cinema[]): Cinema[] {
  const price = (cinema: Cinema) => Number(lowestPrice(cinema) || Number.POSITIVE_INFINITY);
  return [...cinemas].sort((a, b) => (price(a) === price(b) ? 0 : price(a) - price(b)));
}
