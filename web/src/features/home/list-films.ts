import { queryOptions } from '@tanstack/react-query';
import { allFilms } from '../../shop/all-films';
import { get } from '../../wire/client';
import { FilmPage } from '../../wire/generated/FilmPage';

/** Loads the films that are showing in a city. */
export function showingFilms(cityId: string, signal?: AbortSignal) {
  return get('/newmovie/api/movie/movies', { cityId, pageSize: allFilms }, FilmPage, { signal });
}

/** Loads the films that have not opened yet. For some of them the pre-sale has begun. */
export function comingFilms(cityId: string, signal?: AbortSignal) {
  return get('/newmovie/api/movie/coming_movies', { cityId }, FilmPage, { signal });
}

export type FilmTab = 'showing' | 'coming';

export function filmsQuery(tab: FilmTab, cityId: string) {
  return queryOptions({
    queryKey: ['films', tab, cityId],
    queryFn: ({ signal }) => (tab === 'showing' ? showingFilms(cityId, signal) : comingFilms(cityId, signal)),
    select: (page) => page.list,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: true,
  });
}
