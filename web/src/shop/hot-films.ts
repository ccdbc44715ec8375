import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { type CallOptions, callGateway } from '../wire/client';
import { numeric, text } from '../wire/fields';
import type { Film } from './film';

/** A film in the format of the legacy source. */
export const LegacyFilm = v.pipe(
  v.object({
    movieid: text,
    moviecode: text,
    moviename: text,
    poster: text,
    score: text,
    director: text,
    star: text,
    category: text,
    version: text,
    wish: numeric,
    /** 1 showing, 2 pre-sale, 3 coming. */
    showst: numeric,
  }),
  v.transform(
    (film): Film => ({
      movieId: film.movieid,
      movieCode: film.moviecode,
      name: film.moviename,
      posterUrl: film.poster,
      score: film.score,
      star: film.star,
      director: film.director,
      category: film.category,
      version: film.version,
      wish: film.wish,
      isPreShow: film.showst === 2 ? 1 : 0,
      showSt: film.showst,
    }),
  ),
);

const HotFilms = v.object({ total: numeric, filmList: v.array(LegacyFilm) });

/**
 * Fetches all films by rank. `cityid` is the city's id at the legacy source. A quiet call announces no refusal: a page
 * that shows more than the ranking is not left.
 */
export function hotFilms(cityid: string, options?: CallOptions) {
  return callGateway('film.hot', { cityid, pageNo: 1, pageSize: 99_999_999 }, HotFilms, options);
}

export function hotFilmsQuery(cityid: string, options?: { quiet: boolean }) {
  return queryOptions({
    queryKey: ['hot-films', cityid],
    queryFn: ({ signal }) => hotFilms(cityid, { ...options, signal }),
    select: (page) => page.filmList,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: options?.quiet === true,
  });
}
