// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Cinema = components['schemas']['Cinema'];
export const Cinema: v.GenericSchema<unknown, Cinema> = plainObject({
  address: 'string',
  address1: 'string',
  cinemaid1: 'string',
  cinemaid2: 'string',
  flag: 'number',
  juli: 'string',
  movie_price: 'string',
  name: 'string',
  name1: 'string',
  price: 'string',
  quid: 'string',
});
