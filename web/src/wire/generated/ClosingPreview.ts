// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { UnfinishedOrder } from './UnfinishedOrder';
import type { components } from './shop';

export type ClosingPreview = components['schemas']['ClosingPreview'];
export const ClosingPreview: v.GenericSchema<unknown, ClosingPreview> = v.object({
  cards: v.number(),
  phone: v.string(),
  points: v.string(),
  unfinished: v.array(UnfinishedOrder),
  vouchers: v.number(),
});
