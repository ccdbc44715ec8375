// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { SeatArea } from './SeatArea';
import { SeatRow } from './SeatRow';
import { SessionDetail } from './SessionDetail';
import type { components } from './shop';

export type SeatMap = components['schemas']['SeatMap'];
export const SeatMap: v.GenericSchema<unknown, SeatMap> = v.object({
  areas: v.array(SeatArea),
  rows: v.array(SeatRow),
  session: SessionDetail,
});
