// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { FilmShows } from './FilmShows';
import { NewMovieCinema } from './NewMovieCinema';
import type { components } from './shop';

export type CinemaShows = components['schemas']['CinemaShows'];
export const CinemaShows: v.GenericSchema<unknown, CinemaShows> = v.object({
  cinema: NewMovieCinema,
  movies: v.array(FilmShows),
});
