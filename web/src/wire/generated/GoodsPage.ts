// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Goods } from './Goods';
import type { components } from './shop';

export type GoodsPage = components['schemas']['GoodsPage'];
export const GoodsPage: v.GenericSchema<unknown, GoodsPage> = v.object({
  list: v.array(Goods),
  total: v.number(),
});
