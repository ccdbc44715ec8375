// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Showing } from './Showing';
import type { components } from './shop';

export type ShowingList = components['schemas']['ShowingList'];
export const ShowingList: v.GenericSchema<unknown, ShowingList> = v.object({
  dates: v.array(v.string()),
  opiList: v.array(Showing),
});
