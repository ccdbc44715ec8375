// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Film } from './Film';
import type { components } from './shop';

export type FilmPage = components['schemas']['FilmPage'];
export const FilmPage: v.GenericSchema<unknown, FilmPage> = v.object({
  list: v.array(Film),
  total: v.number(),
});
