// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { City } from './City';
import type { components } from './shop';

export type CityList = components['schemas']['CityList'];
export const CityList: v.GenericSchema<unknown, CityList> = v.object({
  list: v.array(City),
});
