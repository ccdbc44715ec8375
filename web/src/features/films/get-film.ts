import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { getNewmovie } from '../../wire/client';
import { list, numeric, text } from '../../wire/fields';

export const FilmDetail = v.object({
  movieId: text,
  movieCode: text,
  img: text,
  name: text,
  /** The name in another language. */
  nm: text,
  director: text,
  star: text,
  /** Genres separated by `|`. */
  cat: text,
  /** The date and place of the opening, as text. */
  pubDesc: text,
  /** Running time in minutes. */
  dur: text,
  desc: text,
  score: text,
  wish: v.optional(numeric),
  version: text,
  showSt: v.optional(numeric),
  workerList: list(v.object({ avatarUrl: text, actorName: text, characterName: text })),
});
export type FilmDetail = v.InferOutput<typeof FilmDetail>;

/** Loads the details of a film. */
export function getFilm(movieId: string, signal?: AbortSignal) {
  return getNewmovie('movie_detail', { movieId }, FilmDetail, { signal });
}

export function filmQuery(movieId: string) {
  return queryOptions({
    queryKey: ['film', movieId],
    queryFn: ({ signal }) => getFilm(movieId, signal),
    staleTime: 5 * 60_000,
  });
}
