// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type UnfinishedOrder = components['schemas']['UnfinishedOrder'];
export const UnfinishedOrder: v.GenericSchema<unknown, UnfinishedOrder> = v.object({
  kind: v.picklist(["ticket","goods","recharge"]),
  order_no: v.string(),
  reason: v.picklist(["unpaid","undelivered","refunding","unused"]),
});
