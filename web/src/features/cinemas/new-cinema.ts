import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { getNewmovie } from '../../wire/client';
import { list, text } from '../../wire/fields';

const Session = v.object({
  sessionId: text,
  showTime: text,
  endTime: text,
  version: text,
  language: text,
  hall: text,
  /** The shop's price in yuan with two decimals. */
  originPrice: text,
  /** The cinema's own price in yuan with two decimals. */
  listPrice: text,
  /** Whether the provider still sells the session. */
  sellable: v.optional(v.boolean(), true),
});
export type Session = v.InferOutput<typeof Session>;

const Movie = v.object({
  movieId: text,
  movieCode: text,
  name: text,
  posterUrl: text,
  showmark: text,
  duration: text,
  category: text,
  score: text,
  shows: list(v.object({ showDate: text, sessions: list(Session) })),
});
export type Movie = v.InferOutput<typeof Movie>;

const NewCinema = v.object({
  cinema: v.object({ cinemaId: text, cinemaCode: text, sourceId: text, name: text, address: text, phone: text }),
  movies: list(Movie),
});

/** Loads a cinema of the new provider with its films, days and sessions. */
export function newCinema(cinemaId: string, signal?: AbortSignal) {
  return getNewmovie('cinema_shows', { cinemaId }, NewCinema, { signal });
}

export function newCinemaQuery(cinemaId: string) {
  return queryOptions({
    queryKey: ['new-cinema', cinemaId],
    queryFn: ({ signal }) => newCinema(cinemaId, signal),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  });
}
