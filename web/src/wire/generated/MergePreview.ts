// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type MergePreview = components['schemas']['MergePreview'];
export const MergePreview: v.GenericSchema<unknown, MergePreview> = plainObject({
  code: 'string',
  del_ka_price: 'string',
  del_ka_str: 'string',
  hb_ka_price: 'string',
  hb_ka_str: 'string',
});
