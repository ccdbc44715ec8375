// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Goods = components['schemas']['Goods'];
export const Goods: v.GenericSchema<unknown, Goods> = plainObject({
  fid: 'string',
  id: 'string',
  img: 'string',
  price: 'string',
  product: 'string',
  stock: 'number',
  title: 'string',
  type: 'number',
});
