// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type VoucherTile = components['schemas']['VoucherTile'];
export const VoucherTile: v.GenericSchema<unknown, VoucherTile> = plainObject({
  id: 'string',
  img: 'string',
  price: 'string',
  title: 'string',
  url: 'string',
});
