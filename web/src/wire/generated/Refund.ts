// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type Refund = components['schemas']['Refund'];
export const Refund: v.GenericSchema<unknown, Refund> = v.object({
  amount: v.string(),
  done_time: v.number(),
  kind: v.picklist(["card","wx"]),
  state: v.picklist(["processing","done","manual"]),
  title: v.string(),
});
