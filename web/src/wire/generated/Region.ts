// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Region = components['schemas']['Region'];
export const Region: v.GenericSchema<unknown, Region> = plainObject({
  id: 'string',
  name: 'string',
  num: 'number',
});
