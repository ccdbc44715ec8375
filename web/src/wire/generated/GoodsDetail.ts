// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GoodsText } from './GoodsText';
import { SKU } from './SKU';
import type { components } from './shop';

export type GoodsDetail = components['schemas']['GoodsDetail'];
export const GoodsDetail: v.GenericSchema<unknown, GoodsDetail> = v.object({
  list: v.array(SKU),
  show: GoodsText,
});
