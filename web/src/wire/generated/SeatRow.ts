// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { SeatColumn } from './SeatColumn';
import type { components } from './shop';

export type SeatRow = components['schemas']['SeatRow'];
export const SeatRow: v.GenericSchema<unknown, SeatRow> = v.object({
  columns: v.array(SeatColumn),
  rowsId: v.string(),
  rowsNum: v.string(),
});
