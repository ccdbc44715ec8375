// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Card } from './Card';
import type { components } from './shop';

export type RechargeResult = components['schemas']['RechargeResult'];
export const RechargeResult: v.GenericSchema<unknown, RechargeResult> = v.object({
  card: v.nullable(Card),
  order_no: v.string(),
  orderstatus: v.picklist([0,1,2,4,7,8,11]),
  state: v.picklist([0,1,2,4,7,8,11]),
});
