// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { TicketOrder } from './TicketOrder';
import type { components } from './shop';

export type PaidTickets = components['schemas']['PaidTickets'];
export const PaidTickets: v.GenericSchema<unknown, PaidTickets> = v.object({
  order: TicketOrder,
  order_no: v.string(),
  orderstatus: v.union([v.picklist(["C","E","F","N","P","R","S","T"]), v.picklist([0,1,2,4,7,8,11])]),
  type: v.picklist([1,2]),
});
