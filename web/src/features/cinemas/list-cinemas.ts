import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { CinemaList } from '../../wire/generated/CinemaList';

export interface CinemaSearch {
  cityid: string;
  /** The region id; empty for the entire city. */
  quid?: string;
  keyword?: string;
  movieId?: string;
  movieCode?: string;
  lat?: string;
  lng?: string;
}

/** Loads the cinemas of a city with the number of cinemas per region. */
export function listCinemas(search: CinemaSearch, signal?: AbortSignal) {
  return post('/movie/route/Movie/cinema', { ...search }, CinemaList, { signal });
}

export function cinemasQuery(search: CinemaSearch) {
  return queryOptions({
    queryKey: ['cinemas', search],
    queryFn: ({ signal }) => listCinemas(search, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });
}
