// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Session } from './Session';
import type { components } from './shop';

export type DayShows = components['schemas']['DayShows'];
export const DayShows: v.GenericSchema<unknown, DayShows> = v.object({
  sessions: v.array(Session),
  showDate: v.string(),
});
