// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type GatewayDrama = components['schemas']['GatewayDrama'];
export const GatewayDrama: v.GenericSchema<unknown, GatewayDrama> = plainObject({
  city: 'string',
  minprice: 'number',
  name: 'string',
  poster: 'string',
  projectid: 'string',
  showtime: 'string',
  venue: 'string',
});
