// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type Details = components['schemas']['Details'];
export const Details: v.GenericSchema<unknown, Details> = v.object({
  field: v.optional(v.string()),
  total: v.optional(v.number()),
  tries_left: v.optional(v.number()),
  until: v.optional(v.number()),
  wait: v.optional(v.number()),
});
