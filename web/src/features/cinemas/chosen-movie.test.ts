import { expect, test } from 'vitest';
import { movie } from '../../../test/samples';
import { chosenMovie } from './chosen-movie';

const films = [
  { ...movie, movieId: 'm1', movieCode: 'c1', duration: 118, shows: [] },
  { ...movie, movieId: 'm2', movieCode: 'c2', duration: 118, shows: [] },
];

// The shared card and the page show the film that chosenMovie returns.
test.each([
  ['', 'm1'],
  ['moveId=m2', 'm2'],
  ['moveId=1316&movieCode=c2', 'm2'],
  ['moveId=1316', undefined],
])('of the address ?%s the film %s is chosen', (query, chosen) => {
  expect(chosenMovie(films, new URLSearchParams(query))?.movieId).toBe(chosen);
});
