// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Seat = components['schemas']['Seat'];
export const Seat: v.GenericSchema<unknown, Seat> = plainObject({
  area: 'string',
  column: 'number',
  flag: 'number',
  name: 'string',
  row: 'number',
  rowname: 'string',
  seatid: 'string',
  status: 'number',
});
