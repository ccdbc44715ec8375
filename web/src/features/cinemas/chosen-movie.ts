import type { FilmShows } from '../../wire/generated/FilmShows';

/**
 * The film that the address chooses, by its code if it has one, because the id may be that of the legacy source. It is
 * the first film if the address chooses none, and undefined if the cinema does not show the chosen one.
 */
export function chosenMovie(movies: readonly FilmShows[], query: URLSearchParams): FilmShows | undefined {
  const code = query.get('movieCode') ?? '';
  const id = query.get('moveId') ?? '';
  if (code === '' && id === '') return movies[0];
  return movies.find((movie) => (code === '' ? movie.movieId === id : movie.movieCode === code));
}
