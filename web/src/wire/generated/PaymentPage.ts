// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { TicketOrder } from './TicketOrder';
import type { components } from './shop';

export type PaymentPage = components['schemas']['PaymentPage'];
export const PaymentPage: v.GenericSchema<unknown, PaymentPage> = v.object({
  checking: v.boolean(),
  has_password: v.boolean(),
  openid: v.string(),
  order: TicketOrder,
  time: v.number(),
});
