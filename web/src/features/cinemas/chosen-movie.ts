import type { FilmShows } from '../../wire/generated/FilmShows';

/**
 * The film named in the URL: by movieCode if present, because moveId may be the legacy source's. If the URL names none,
 * the first film. Undefined if the cinema does not show the film.
 */
export function chosenMovie(movies: readonly FilmShows[], query: URLSearchParams): FilmShows | undefined {
  const code = query.get('movieCode') ?? '';
  const id = query.get('moveId') ?? '';
  if (code === '' && id === '') return movies[0];
  return movies.find((movie) => (code === '' ? movie.movieId === id : movie.movieCode === code));
}
