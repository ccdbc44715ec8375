import type { Cinema } from '../../wire/generated/Cinema';

/**
 * The price of a cinema in a list: the lowest price of the requested film (`of: 'film'`), or of any film (`of:
 * 'cinema'`).
 */
export interface ListedPrice {
  yuan: string;
  of: 'film' | 'cinema';
}

/**
 * The price of a cinema in a list. `ofFilm` says whether the list contains the cinemas of one film or all cinemas.
 * Undefined if the source has no price.
 */
export function listedPrice(cinema: Cinema, ofFilm: boolean): ListedPrice | undefined {
  if (ofFilm && Number(cinema.movie_price) > 0) return { yuan: cinema.movie_price, of: 'film' };
  return Number(cinema.price) > 0 ? { yuan: cinema.price, of: 'cinema' } : undefined;
}

/**
 * The cinema with the lowest `figure`, such as the distance; undefined if several cinemas have the lowest one, or if
 * fewer than two cinemas have a figure.
 */
export function extreme(cinemas: readonly Cinema[], figure: (cinema: Cinema) => string): Cinema | undefined {
  const known = cinemas.filter((cinema) => figure(cinema) !== '');
  const least = Math.min(...known.map((cinema) => Number(figure(cinema))));
  const [first, second] = known.filter((cinema) => Number(figure(cinema)) === least);
  return known.length > 1 && !second ? first : undefined;
}

/**
 * The cheapest cinema. In a list for one film (`ofFilm`) it is undefined unless the price of the film is known at every
 * cinema, because a cinema without that price might be cheaper.
 */
export function cheapest(cinemas: readonly Cinema[], ofFilm: boolean): Cinema | undefined {
  if (ofFilm && cinemas.some((cinema) => listedPrice(cinema, ofFilm)?.of !== 'film')) return undefined;
  return extreme(cinemas, (cinema) => listedPrice(cinema, ofFilm)?.yuan ?? '');
}

/**
 * Sorts cinemas by their listed price. Cinemas with a price of the film come first, then those with a price of any
 * film, because these prices cannot be compared; cinemas without a price are last.
 */
export function byPrice(cinemas: readonly Cinema[], ofFilm: boolean): Cinema[] {
  const price = (cinema: Cinema) => Number(listedPrice(cinema, ofFilm)?.yuan);
  const sorted = (of: ListedPrice['of']) =>
    cinemas.filter((cinema) => listedPrice(cinema, ofFilm)?.of === of).sort((a, b) => price(a) - price(b));
  const unpriced = cinemas.filter((cinema) => !listedPrice(cinema, ofFilm));
  return [...sorted('film'), ...sorted('cinema'), ...unpriced];
}
