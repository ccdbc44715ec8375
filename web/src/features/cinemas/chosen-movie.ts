import type { FilmShows } from '../../wire/generated/FilmShows';

/**
 * The film of the address, by its code if it has one, because the id may be that of the legacy source. Without a film
 * in the address it is the first one. Undefined if the cinema does not show the film.
 */
export function chosenMovie(movies: readonly FilmShows[], query: URLSearchParams): FilmShows | undefined {
  const code = query.get('movieCode') ?? '';
  const id = query.get('moveId') ?? '';
  if (code === '' && id === '') return movies[0];
  return movies.find((movie) => (code === '' ? movie.movieId === id : movie.movieCode === code));
}
