// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Seat } from './Seat';
import { Showing } from './Showing';
import type { components } from './shop';

export type ShowingSeats = components['schemas']['ShowingSeats'];
export const ShowingSeats: v.GenericSchema<unknown, ShowingSeats> = v.object({
  opi: Showing,
  seatList: v.array(Seat),
});
