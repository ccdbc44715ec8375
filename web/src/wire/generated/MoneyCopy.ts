// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type MoneyCopy = components['schemas']['MoneyCopy'];
export const MoneyCopy: v.GenericSchema<unknown, MoneyCopy> = v.object({
  amount: v.string(),
  state: v.optional(v.string()),
  title: v.string(),
});
