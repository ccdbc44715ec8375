// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type GatewayCinema = components['schemas']['GatewayCinema'];
export const GatewayCinema: v.GenericSchema<unknown, GatewayCinema> = plainObject({
  address: 'string',
  cinemaid: 'string',
  cinemaname: 'string',
  lat: 'string',
  lng: 'string',
  minprice: 'number',
  phone: 'string',
  regionid: 'string',
  regionname: 'string',
});
