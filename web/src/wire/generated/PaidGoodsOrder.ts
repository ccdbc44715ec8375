// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GoodsOrder } from './GoodsOrder';
import type { components } from './shop';

export type PaidGoodsOrder = components['schemas']['PaidGoodsOrder'];
export const PaidGoodsOrder: v.GenericSchema<unknown, PaidGoodsOrder> = v.object({
  order: GoodsOrder,
  order_no: v.string(),
  orderstatus: v.picklist([0,1,2,4,7,8,11]),
  state: v.picklist([0,1,2,4,7,8,11]),
  type: v.picklist([1,2]),
});
