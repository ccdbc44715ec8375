// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Wait = components['schemas']['Wait'];
export const Wait: v.GenericSchema<unknown, Wait> = plainObject({
  wait: 'number',
});
