// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { BoughtGoods } from './BoughtGoods';
import { Refund } from './Refund';
import type { components } from './shop';

export type GoodsOrder = components['schemas']['GoodsOrder'];
export const GoodsOrder: v.GenericSchema<unknown, GoodsOrder> = v.object({
  add_time: v.number(),
  checking: v.boolean(),
  expiretime: v.number(),
  fuli: v.string(),
  hidden: v.optional(v.boolean()),
  id: v.string(),
  kaquan: BoughtGoods,
  number: v.number(),
  ord_bs: v.picklist([2]),
  order_no: v.string(),
  phone: v.string(),
  refunds: v.array(Refund),
  state: v.picklist([0,1,2,4,7,8,11]),
  state_text: v.string(),
  total_fee: v.string(),
  type: v.picklist([1,2]),
});
