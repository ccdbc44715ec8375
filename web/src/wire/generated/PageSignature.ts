// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type PageSignature = components['schemas']['PageSignature'];
export const PageSignature: v.GenericSchema<unknown, PageSignature> = plainObject({
  appid: 'string',
  nonceStr: 'string',
  signature: 'string',
  time: 'number',
});
