// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Cinema } from './Cinema';
import { Region } from './Region';
import type { components } from './shop';

export type CinemaList = components['schemas']['CinemaList'];
export const CinemaList: v.GenericSchema<unknown, CinemaList> = v.object({
  city_num: v.number(),
  qu_list: v.array(Region),
  yingyuan: v.array(Cinema),
});
