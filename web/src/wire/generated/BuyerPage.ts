// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { OrderCounts } from './OrderCounts';
import type { components } from './shop';

export type BuyerPage = components['schemas']['BuyerPage'];
export const BuyerPage: v.GenericSchema<unknown, BuyerPage> = v.object({
  access: v.optional(v.picklist(["link","limited"])),
  all_phone: v.string(),
  card_num: v.number(),
  has_password: v.boolean(),
  img: v.string(),
  order_num: OrderCounts,
  phone: v.string(),
});
