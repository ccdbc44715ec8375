// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Category } from './Category';
import type { components } from './shop';

export type Categories = components['schemas']['Categories'];
export const Categories: v.GenericSchema<unknown, Categories> = v.object({
  list: v.array(Category),
});
