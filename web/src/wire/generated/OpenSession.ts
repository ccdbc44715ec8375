// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type OpenSession = components['schemas']['OpenSession'];
export const OpenSession: v.GenericSchema<unknown, OpenSession> = plainObject({
  created_at: 'string',
  current: 'boolean',
  device: 'string',
  id: 'string',
  network: 'string',
  used_at: 'string',
});
