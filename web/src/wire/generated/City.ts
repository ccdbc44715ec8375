// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type City = components['schemas']['City'];
export const City: v.GenericSchema<unknown, City> = plainObject({
  cityid1: 'string',
  cityid2: 'string',
  id: 'string',
  name: 'string',
  pinyin: 'string',
});
