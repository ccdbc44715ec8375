// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type SeatArea = components['schemas']['SeatArea'];
export const SeatArea: v.GenericSchema<unknown, SeatArea> = plainObject({
  areaId: 'string',
  areaName: 'string',
  originPrice: 'string',
});
