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
  /** Kilometres with one decimal; empty when the customer's position is not known. */
  juli: text,
  /** Lowest price. */
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
  quid?: string;
  keyword?: string;
  movieId?: string;
  movieCode?: string;
  lat?: string;
  lng?: string;
}

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

export function isLegacy(cinema: Pick<Cinema, 'flag'>): boolean {
  return cinema.flag === 1;
}

/** A legacy cinema stands under name and address, one of the new provider under name1 and address1. */
export function cinemaName(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.name : cinema.name1;
}

export function cinemaAddress(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.address : cinema.address1;
}

/** What its cheapest ticket costs, in yuan; empty where the source does not say. */
export function lowestPrice(cinema: Cinema): string {
  const price = Number(cinema.price);
  if (!Number.isFinite(price) || price <= 0) return '';
  // Each source's prices come in its own unit: cents from the legacy one, yuan from the other.
  return isLegacy(cinema) && !cinema.price.includes('.') ? yuan(price) : cinema.price;
}
