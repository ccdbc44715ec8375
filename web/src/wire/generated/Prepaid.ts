// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { BridgeParams } from './BridgeParams';
import type { components } from './shop';

export type Prepaid = components['schemas']['Prepaid'];
export const Prepaid: v.GenericSchema<unknown, Prepaid> = v.object({
  h5_url: v.optional(v.string()),
  jsApiParameters: v.optional(BridgeParams),
  order_no: v.string(),
});
