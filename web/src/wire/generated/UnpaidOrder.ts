// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { TicketOrder } from './TicketOrder';
import type { components } from './shop';

export type UnpaidOrder = components['schemas']['UnpaidOrder'];
export const UnpaidOrder: v.GenericSchema<unknown, UnpaidOrder> = v.object({
  order: v.optional(TicketOrder),
  orderid: v.string(),
  type: v.picklist([0,1,2]),
});
