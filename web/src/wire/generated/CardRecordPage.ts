// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { CardRecord } from './CardRecord';
import type { components } from './shop';

export type CardRecordPage = components['schemas']['CardRecordPage'];
export const CardRecordPage: v.GenericSchema<unknown, CardRecordPage> = v.object({
  list: v.array(CardRecord),
  total: v.number(),
});
