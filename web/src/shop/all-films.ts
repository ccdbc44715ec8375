/** The page size that requests all films. It has a separate file because the build imports it too (app/first-calls). */
export const allFilms = 99_999_999;
