// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GoodsCode } from './GoodsCode';
import { GoodsOrder } from './GoodsOrder';
import type { components } from './shop';

export type GoodsOrderPage = components['schemas']['GoodsOrderPage'];
export const GoodsOrderPage: v.GenericSchema<unknown, GoodsOrderPage> = v.object({
  has_password: v.boolean(),
  kqorder: GoodsOrder,
  openid: v.string(),
  time: v.number(),
  xunika: v.array(GoodsCode),
});
