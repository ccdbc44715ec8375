import type { Cinema } from '../../wire/generated/Cinema';

/** What a cinema is listed with: the lowest price of the film that was asked for, or that of any film. */
export interface ListedPrice {
  yuan: string;
  of: 'film' | 'cinema';
}

/** The price of a cinema in a list of a film's cinemas, or of all cinemas; undefined if the source does not give one. */
export function listedPrice(cinema: Cinema, ofFilm: boolean): ListedPrice | undefined {
  if (ofFilm && Number(cinema.movie_price) > 0) return { yuan: cinema.movie_price, of: 'film' };
  return Number(cinema.price) > 0 ? { yuan: cinema.price, of: 'cinema' } : undefined;
}

/** The one cinema with the lowest figure; undefined if fewer than two have a figure, or if several have the lowest. */
export function extreme(cinemas: readonly Cinema[], figure: (cinema: Cinema) => string): Cinema | undefined {
  const known = cinemas.filter((cinema) => figure(cinema) !== '');
  const least = Math.min(...known.map((cinema) => Number(figure(cinema))));
  const [first, second] = known.filter((cinema) => Number(figure(cinema)) === least);
  return known.length > 1 && !second ? first : undefined;
}

/** The one cheapest cinema. Where the film's price is not known at some cinema, any of these may be the cheapest. */
export function cheapest(cinemas: readonly Cinema[], ofFilm: boolean): Cinema | undefined {
  if (ofFilm && cinemas.some((cinema) => listedPrice(cinema, ofFilm)?.of !== 'film')) return undefined;
  return extreme(cinemas, (cinema) => listedPrice(cinema, ofFilm)?.yuan ?? '');
}

/**
 * The cinemas by the price that they are listed with. Prices of the film come before prices of any film, which cannot be
 * compared with them; cinemas without a price are last.
 */
export function byPrice(cinemas: readonly Cinema[], ofFilm: boolean): Cinema[] {
  const price = (cinema: Cinema) => Number(listedPrice(cinema, ofFilm)?.yuan);
  const sorted = (of: ListedPrice['of']) =>
    cinemas.filter((cinema) => listedPrice(cinema, ofFilm)?.of === of).sort((a, b) => price(a) - price(b));
  const unpriced = cinemas.filter((cinema) => !listedPrice(cinema, ofFilm));
  return [...sorted('film'), ...sorted('cinema'), ...unpriced];
}
