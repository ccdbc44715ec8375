// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type GoodsText = components['schemas']['GoodsText'];
export const GoodsText: v.GenericSchema<unknown, GoodsText> = v.object({
  account: v.picklist(["","phone","qq","member","mail"]),
  content: v.string(),
  fid: v.string(),
  gueige: v.string(),
  id: v.string(),
  img: v.string(),
  price: v.string(),
  product: v.string(),
  stock: v.number(),
  title: v.string(),
  type: v.number(),
  zxkf: v.string(),
});
