// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type CardWithCode = components['schemas']['CardWithCode'];
export const CardWithCode: v.GenericSchema<unknown, CardWithCode> = v.object({
  code: v.string(),
  end_time: v.number(),
  flag: v.number(),
  id: v.string(),
  name: v.string(),
  num: v.string(),
  pays: v.array(v.string()),
  pid: v.number(),
  price: v.string(),
});
