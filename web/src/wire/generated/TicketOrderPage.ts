// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { OrderPayments } from './OrderPayments';
import { Text } from './Text';
import { TicketOrder } from './TicketOrder';
import type { components } from './shop';

export type TicketOrderPage = components['schemas']['TicketOrderPage'];
export const TicketOrderPage: v.GenericSchema<unknown, TicketOrderPage> = v.object({
  order: OrderPayments,
  order_show: TicketOrder,
  single: Text,
});
