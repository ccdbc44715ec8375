// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type PaidOrder = components['schemas']['PaidOrder'];
export const PaidOrder: v.GenericSchema<unknown, PaidOrder> = v.object({
  order_no: v.string(),
  orderstatus: v.union([v.picklist(["C","E","F","N","P","R","S","T"]), v.picklist([0,1,2,4,7,8,11])]),
});
