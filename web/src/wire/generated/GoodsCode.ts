// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type GoodsCode = components['schemas']['GoodsCode'];
export const GoodsCode: v.GenericSchema<unknown, GoodsCode> = plainObject({
  num: 'string',
  pass: 'string',
});
