// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { CodeCopy } from './CodeCopy';
import { MoneyCopy } from './MoneyCopy';
import type { components } from './shop';

export type OrderCopy = components['schemas']['OrderCopy'];
export const OrderCopy: v.GenericSchema<unknown, OrderCopy> = v.object({
  cinema: v.optional(v.string()),
  codes: v.optional(v.array(CodeCopy)),
  created_at: v.string(),
  kind: v.string(),
  message: v.optional(v.string()),
  no: v.string(),
  payments: v.array(MoneyCopy),
  phone: v.optional(v.string()),
  recharged_account: v.optional(v.string()),
  refunds: v.array(MoneyCopy),
  seats: v.optional(v.array(v.string())),
  starts_at: v.optional(v.string()),
  state: v.string(),
  tickets: v.optional(v.array(CodeCopy)),
  title: v.string(),
  total: v.string(),
});
