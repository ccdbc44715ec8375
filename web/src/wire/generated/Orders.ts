// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GoodsOrder } from './GoodsOrder';
import { OrderCounts } from './OrderCounts';
import { TicketOrder } from './TicketOrder';
import type { components } from './shop';

export type Orders = components['schemas']['Orders'];
export const Orders: v.GenericSchema<unknown, Orders> = v.object({
  counts: OrderCounts,
  list: v.array(v.union([TicketOrder, GoodsOrder])),
  total: v.number(),
});
