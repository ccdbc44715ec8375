// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type SeatColumn = components['schemas']['SeatColumn'];
export const SeatColumn: v.GenericSchema<unknown, SeatColumn> = plainObject({
  areaId: 'string',
  colNum: 'string',
  originSeatID: 'string',
  price: 'string',
  seatName: 'string',
  state: 'number',
  type: 'number',
});
