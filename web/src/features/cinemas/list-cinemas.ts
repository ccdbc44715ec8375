import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
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
  /** The lowest price of any film in yuan; empty if it is not known. */
  price: text,
  /** The lowest price of the searched film in yuan; empty without a film, and if it is not known. */
  movie_price: text,
});
export type Cinema = v.InferOutput<typeof Cinema>;

const CinemaList = v.object({
  city_num: numeric,
  qu_list: list(v.object({ id: text, name: text, num: numeric })),
  yingyuan: list(Cinema),
});
export type CinemaList = v.InferOutput<typeof CinemaList>;

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
  return postMovie('cinema', { ...search }, CinemaList, { signal });
}

export function cinemasQuery(search: CinemaSearch) {
  return queryOptions({
    queryKey: ['cinemas', search],
    queryFn: ({ signal }) => listCinemas(search, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });
}
