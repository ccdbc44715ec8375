import type { Cinema } from '../../wire/generated/Cinema';

/** The price in the list: the lowest one of the requested film, or of any film. */
export interface ListedPrice {
  yuan: string;
  of: 'film' | 'cinema';
}

/**
 * The price of a cinema in a list of a film's cinemas, or of all cinemas; undefined if the source does not have one.
 */
export function listedPrice(cinema: Cinema, ofFilm: boolean): ListedPrice | undefined {
  if (ofFilm && Number(cinema.movie_price) > 0) return { yuan: cinema.movie_price, of: 'film' };
  return Number(cinema.price) > 0 ? { yuan: cinema.price, of: 'cinema' } : undefined;
}

/** The cinema with the lowest figure; undefined if several have it, or if fewer than two have a figure. */
export function extreme(cinemas: readonly Cinema[], figure: (cinema: Cinema) => string): Cinema | undefined {
  const known = cinemas.filter((cinema) => figure(cinema) !== '');
  const least = Math.min(...known.map((cinema) => Number(figure(cinema))));
  const [first, second] = known.filter((cinema) => Number(figure(cinema)) === least);
  return known.length > 1 && !second ? first : undefined;
}

/** The cheapest cinema; undefined if the film's price is unknown at some cinema, which might be cheaper. */
export function cheapest(cinemas: readonly Cinema[], ofFilm: boolean): Cinema | undefined {
  if (ofFilm && cinemas.some((cinema) => listedPrice(cinema, ofFilm)?.of !== 'film')) return undefined;
  return extreme(cinemas, (cinema) => listedPrice(cinema, ofFilm)?.yuan ?? '');
}

/**
 * Sorts cinemas by their listed price. Prices of the film come first, then prices of any film, because the two cannot
 * be compared; cinemas without a price are last.
 */
export function byPrice(cinemas: readonly Cinema[], ofFilm: boolean): Cinema[] {
  const price = (cinema: Cinema) => Number(listedPrice(cinema, ofFilm)?.yuan);
  const sorted = (of: ListedPrice['of']) =>
    cinemas.filter((cinema) => listedPrice(cinema, ofFilm)?.of === of).sort((a, b) => price(a) - price(b));
  const unpriced = cinemas.filter((cinema) => !listedPrice(cinema, ofFilm));
  return [...sorted('film'), ...sorted('cinema'), ...unpriced];
}
