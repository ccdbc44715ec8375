// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { RecordCopy } from './RecordCopy';
import type { components } from './shop';

export type CardCopy = components['schemas']['CardCopy'];
export const CardCopy: v.GenericSchema<unknown, CardCopy> = v.object({
  bound_at: v.string(),
  ends_at: v.string(),
  number: v.string(),
  points: v.string(),
  records: v.array(RecordCopy),
  status: v.string(),
  type: v.string(),
});
