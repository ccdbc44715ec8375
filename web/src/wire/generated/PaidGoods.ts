// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type PaidGoods = components['schemas']['PaidGoods'];
export const PaidGoods: v.GenericSchema<unknown, PaidGoods> = v.object({
  order_no: v.string(),
  orderstatus: v.picklist([0,1,2,4,7,8,11]),
  state: v.picklist([0,1,2,4,7,8,11]),
});
