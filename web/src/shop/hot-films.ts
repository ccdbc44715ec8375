import { queryOptions } from '@tanstack/react-query';
import { type CallOptions, callGateway } from '../wire/client';
import type { Film } from '../wire/generated/Film';
import type { GatewayFilm } from '../wire/generated/GatewayFilm';
import { GatewayFilms } from '../wire/generated/GatewayFilms';
import { allFilms } from './all-films';

/**
 * Converts the state `showst` of a film of the legacy source to `isPreShow`, which is 1 for a film on pre-sale, else 0.
 */
export function preShow(showst: number): 0 | 1 {
  return showst === 2 ? 1 : 0;
}

/** Converts a film of the legacy source, which has other field names and no opening day. */
export function filmOf({ movieid, moviecode, moviename, poster, showst, ...film }: GatewayFilm): Film {
  return {
    ...film,
    movieId: movieid,
    movieCode: moviecode,
    name: moviename,
    posterUrl: poster,
    isPreShow: preShow(showst),
    showSt: showst,
    openDay: '',
  };
}

/**
 * Fetches all films by rank. `cityid` is the city's id at the legacy source. On a page that shows more than the
 * ranking, pass the option `quiet`: otherwise the app leaves the page if the legacy source rejects the call.
 */
export async function hotFilms(cityid: string, options?: CallOptions): Promise<Film[]> {
  const fields = { cityid, pageNo: 1, pageSize: allFilms };
  return (await callGateway('film.hot', fields, GatewayFilms, options)).filmList.map(filmOf);
}

export function hotFilmsQuery(cityid: string, options?: { quiet: boolean }) {
  return queryOptions({
    queryKey: ['hot-films', cityid],
    queryFn: ({ signal }) => hotFilms(cityid, { ...options, signal }),
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: options?.quiet === true,
  });
}
