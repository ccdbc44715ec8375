// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type PaymentLeg = components['schemas']['PaymentLeg'];
export const PaymentLeg: v.GenericSchema<unknown, PaymentLeg> = v.object({
  amount: v.string(),
  captured: v.boolean(),
  kind: v.picklist(["card","wx"]),
  title: v.string(),
});
