// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type CardID = components['schemas']['CardID'];
export const CardID: v.GenericSchema<unknown, CardID> = plainObject({
  id: 'string',
});
