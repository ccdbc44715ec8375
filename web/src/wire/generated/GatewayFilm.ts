// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type GatewayFilm = components['schemas']['GatewayFilm'];
export const GatewayFilm: v.GenericSchema<unknown, GatewayFilm> = plainObject({
  category: 'string',
  director: 'string',
  duration: 'number',
  moviecode: 'string',
  movieid: 'string',
  moviename: 'string',
  poster: 'string',
  publishdate: 'string',
  score: 'string',
  showst: 'number',
  star: 'string',
  version: 'string',
  wish: 'number',
});
