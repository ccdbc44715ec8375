import type { FilmShows } from '../../wire/generated/FilmShows';

/**
 * The film that the URL contains: by movieCode if present, because moveId may be the id at the legacy source. If the
 * URL contains neither of the two, it is the first film. Undefined if the cinema does not show the film.
 */
export function chosenMovie(movies: readonly FilmShows[], query: URLSearchParams): FilmShows | undefined {
  const code = query.get('movieCode') ?? '';
  const id = query.get('moveId') ?? '';
  if (code === '' && id === '') return movies[0];
  return movies.find((movie) => (code === '' ? movie.movieId === id : movie.movieCode === code));
}
