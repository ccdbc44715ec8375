// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type CardRecord = components['schemas']['CardRecord'];
export const CardRecord: v.GenericSchema<unknown, CardRecord> = v.object({
  add_time: v.number(),
  flag: v.number(),
  kind: v.optional(v.picklist(["ticket","goods"])),
  order_no: v.optional(v.string()),
  price: v.string(),
  remark: v.string(),
  title: v.optional(v.string()),
});
