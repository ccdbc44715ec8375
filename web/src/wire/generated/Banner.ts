// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Banner = components['schemas']['Banner'];
export const Banner: v.GenericSchema<unknown, Banner> = plainObject({
  id: 'string',
  img: 'string',
  title: 'string',
  url: 'string',
});
