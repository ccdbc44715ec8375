// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { DayShows } from './DayShows';
import type { components } from './shop';

export type FilmShows = components['schemas']['FilmShows'];
export const FilmShows: v.GenericSchema<unknown, FilmShows> = v.object({
  category: v.string(),
  duration: v.number(),
  movieCode: v.string(),
  movieId: v.string(),
  name: v.string(),
  posterUrl: v.string(),
  score: v.string(),
  showmark: v.string(),
  shows: v.array(DayShows),
});
