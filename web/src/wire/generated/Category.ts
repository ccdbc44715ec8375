// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Category = components['schemas']['Category'];
export const Category: v.GenericSchema<unknown, Category> = plainObject({
  id: 'string',
  img: 'string',
  name: 'string',
});
