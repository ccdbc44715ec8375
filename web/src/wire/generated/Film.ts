// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Film = components['schemas']['Film'];
export const Film: v.GenericSchema<unknown, Film> = plainObject({
  category: 'string',
  director: 'string',
  duration: 'number',
  isPreShow: 'number',
  movieCode: 'string',
  movieId: 'string',
  name: 'string',
  openDay: 'string',
  posterUrl: 'string',
  score: 'string',
  showSt: 'number',
  star: 'string',
  version: 'string',
  wish: 'number',
});
