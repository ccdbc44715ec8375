// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Showing = components['schemas']['Showing'];
export const Showing: v.GenericSchema<unknown, Showing> = plainObject({
  areaPrice: 'string',
  cinemaid: 'string',
  cinemaname: 'string',
  closetime: 'string',
  edition: 'string',
  endtime: 'string',
  language: 'string',
  moviecode: 'string',
  movieid: 'string',
  moviename: 'string',
  opiid: 'string',
  playdate: 'string',
  playtime: 'string',
  poster: 'string',
  price: 'number',
  roomname: 'string',
  showPrice: 'number',
});
