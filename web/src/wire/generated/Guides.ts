// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Guides = components['schemas']['Guides'];
export const Guides: v.GenericSchema<unknown, Guides> = plainObject({
  goupiao: 'string',
  guanying: 'string',
});
