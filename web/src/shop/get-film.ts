import { queryOptions } from '@tanstack/react-query';
import { codeOf } from '../wire/api-error';
import { callGateway, get } from '../wire/client';
import { FilmDetail } from '../wire/generated/FilmDetail';
import { GatewayFilmPage } from '../wire/generated/GatewayFilmPage';
import { preShow } from './hot-films';

/** Loads the details of a film from newmovie. */
export function getFilm(movieId: string, signal?: AbortSignal): Promise<FilmDetail> {
  return get('/newmovie/api/movie/movie_detail', { movieId }, FilmDetail, { signal });
}

/** Loads the details of a film from the legacy source, in which three fields have different names. */
export async function getLegacyFilm(movieid: string, signal?: AbortSignal): Promise<FilmDetail> {
  const answer = await callGateway('film.detail', { movieid }, GatewayFilmPage, { signal, quiet: true });
  const { movieid: movieId, moviecode: movieCode, showst: showSt, ...film } = answer.film;
  return { ...film, movieId, movieCode, showSt, isPreShow: preShow(showSt) };
}

/**
 * Loads the details of a film from either source. Films of the ranking have ids of the legacy source, which newmovie
 * may not know. So the details come from the legacy source if newmovie does not know the film, fails, or has a film
 * with another code under this id.
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

/** @param movieCode The code of the film at both sources; empty if the address does not contain it. */
export function filmQuery(movieId: string, movieCode: string) {
  return queryOptions({
    queryKey: ['film', movieId, movieCode],
    queryFn: ({ signal }) => findFilm(movieId, movieCode, signal),
    staleTime: 5 * 60_000,
  });
}
