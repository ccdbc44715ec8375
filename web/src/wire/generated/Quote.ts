// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Quote = components['schemas']['Quote'];
export const Quote: v.GenericSchema<unknown, Quote> = plainObject({
  dkprice: 'string',
  ka_ids: 'string',
  total: 'string',
  wxprice: 'string',
});
