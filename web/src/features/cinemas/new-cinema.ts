import { queryOptions } from '@tanstack/react-query';
import { get } from '../../wire/client';
import { CinemaShows } from '../../wire/generated/CinemaShows';

/** Loads a cinema of newmovie with its films, days and showings. */
export function newCinema(cinemaId: string, signal?: AbortSignal) {
  return get('/newmovie/api/movie/cinema_shows', { cinemaId }, CinemaShows, { signal });
}

export function newCinemaQuery(cinemaId: string) {
  return queryOptions({
    queryKey: ['new-cinema', cinemaId],
    queryFn: ({ signal }) => newCinema(cinemaId, signal),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  });
}
