// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type NewMovieCinema = components['schemas']['NewMovieCinema'];
export const NewMovieCinema: v.GenericSchema<unknown, NewMovieCinema> = plainObject({
  address: 'string',
  cinemaCode: 'string',
  cinemaId: 'string',
  latitude: 'string',
  longitude: 'string',
  minPrice: 'string',
  name: 'string',
  phone: 'string',
  regionId: 'string',
  regionName: 'string',
  sourceId: 'string',
});
