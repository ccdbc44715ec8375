import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { codeOf } from '../wire/api-error';
import { callGateway, getNewmovie } from '../wire/client';
import { list, numeric, text } from '../wire/fields';

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

/** The details of a film in the format of the legacy source, whose names of three fields differ. */
const LegacyFilmDetail = v.pipe(
  v.object({
    film: v.object({ ...FilmDetail.entries, movieid: text, moviecode: text, showst: v.optional(numeric) }),
  }),
  v.transform(
    ({ film: { movieid, moviecode, showst, ...film } }): FilmDetail => ({
      ...film,
      movieId: movieid,
      movieCode: moviecode,
      showSt: showst,
    }),
  ),
);

/** Loads the details of a film from the new provider. */
export function getFilm(movieId: string, signal?: AbortSignal): Promise<FilmDetail> {
  return getNewmovie('movie_detail', { movieId }, FilmDetail, { signal });
}

/** Loads the details of a film from the legacy source. */
export function getLegacyFilm(movieid: string, signal?: AbortSignal): Promise<FilmDetail> {
  return callGateway('film.detail', { movieid }, LegacyFilmDetail, { signal, quiet: true });
}

/**
 * The ranking is the legacy source's, whose ids need not be those of the new provider. The legacy source describes a
 * film that the new provider does not know, cannot describe now, or knows under this id with another code.
 */
async function findFilm(movieId: string, movieCode: string, signal?: AbortSignal): Promise<FilmDetail> {
  try {
    const film = await getFilm(movieId, signal);
    if (movieCode === '' || film.movieCode === movieCode) return film;
  } catch (failure) {
    if (codeOf(failure) === 'aborted') throw failure;
    return getLegacyFilm(movieId, signal).catch(() => Promise.reject(failure));
  }
  return getLegacyFilm(movieId, signal);
}

/** @param movieCode The code of the film at both sources; empty if the address does not have it. */
export function filmQuery(movieId: string, movieCode: string) {
  return queryOptions({
    queryKey: ['film', movieId, movieCode],
    queryFn: ({ signal }) => findFilm(movieId, movieCode, signal),
    staleTime: 5 * 60_000,
  });
}
