// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type SessionCopy = components['schemas']['SessionCopy'];
export const SessionCopy: v.GenericSchema<unknown, SessionCopy> = plainObject({
  created_at: 'string',
  device: 'string',
  expires_at: 'string',
  method: 'string',
  network: 'string',
});
