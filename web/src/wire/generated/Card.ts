// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type Card = components['schemas']['Card'];
export const Card: v.GenericSchema<unknown, Card> = v.object({
  end_time: v.number(),
  flag: v.number(),
  id: v.string(),
  name: v.string(),
  num: v.string(),
  pays: v.array(v.string()),
  pid: v.number(),
  price: v.string(),
});
