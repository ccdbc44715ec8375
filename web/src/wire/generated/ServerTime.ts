// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type ServerTime = components['schemas']['ServerTime'];
export const ServerTime: v.GenericSchema<unknown, ServerTime> = plainObject({
  time: 'number',
});
