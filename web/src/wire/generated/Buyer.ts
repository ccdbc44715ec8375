// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type Buyer = components['schemas']['Buyer'];
export const Buyer: v.GenericSchema<unknown, Buyer> = v.object({
  access: v.optional(v.picklist(["link","limited"])),
  all_phone: v.string(),
  card_num: v.number(),
  img: v.string(),
  phone: v.string(),
});
