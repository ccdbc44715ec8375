import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { yuan } from '../../shop/price';
import { postMovie } from '../../wire/client';
import { list, numeric, text } from '../../wire/fields';

const Cinema = v.object({
  /** 1 is the legacy source, any other value the new provider. */
  flag: numeric,
  name: text,
  address: text,
  name1: text,
  address1: text,
  cinemaid1: text,
  cinemaid2: text,
  /** Distance in kilometres with one decimal; empty if the position of the phone is not known. */
  juli: text,
  /** The lowest price: in cents from the legacy source, in yuan from the new provider. */
  price: text,
});
export type Cinema = v.InferOutput<typeof Cinema>;

const CinemaPage = v.object({
  city_num: numeric,
  qu_list: list(v.object({ id: text, name: text, num: numeric })),
  yingyuan: list(Cinema),
});

export interface CinemaSearch {
  cityid: string;
  /** The region id; empty for the whole city. */
  quid?: string;
  keyword?: string;
  movieId?: string;
  movieCode?: string;
  lat?: string;
  lng?: string;
}

/** Loads the cinemas of a city with the number of cinemas per region. */
export function listCinemas(search: CinemaSearch, signal?: AbortSignal) {
  return postMovie('cinema', { ...search }, CinemaPage, { signal });
}

export function cinemasQuery(search: CinemaSearch) {
  return queryOptions({
    queryKey: ['cinemas', search],
    queryFn: ({ signal }) => listCinemas(search, signal),
    staleTime: 60_000,
  });
}

/** Whether the cinema belongs to the legacy source. */
export function isLegacy(cinema: Pick<Cinema, 'flag'>): boolean {
  return cinema.flag === 1;
}

/** The id of the cinema at its source. */
export function cinemaId(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.cinemaid1 : cinema.cinemaid2;
}

/** The name is in `name` for a legacy cinema and in `name1` for one of the new provider; the address likewise. */
export function cinemaName(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.name : cinema.name1;
}

export function cinemaAddress(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.address : cinema.address1;
}

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
