// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type SKU = components['schemas']['SKU'];
export const SKU: v.GenericSchema<unknown, SKU> = plainObject({
  days: 'number',
  gueige: 'string',
  id: 'string',
  img: 'string',
  price: 'string',
  sku: 'string',
  stock: 'number',
});
