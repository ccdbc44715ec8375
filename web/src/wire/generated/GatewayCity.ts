// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type GatewayCity = components['schemas']['GatewayCity'];
export const GatewayCity: v.GenericSchema<unknown, GatewayCity> = plainObject({
  cityid: 'string',
  cityname: 'string',
  hot: 'number',
  pinyin: 'string',
});
