// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { PaymentLeg } from './PaymentLeg';
import { Refund } from './Refund';
import type { components } from './shop';

export type OrderPayments = components['schemas']['OrderPayments'];
export const OrderPayments: v.GenericSchema<unknown, OrderPayments> = v.object({
  checking: v.boolean(),
  legs: v.array(PaymentLeg),
  refunds: v.array(Refund),
});
