// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type EventCopy = components['schemas']['EventCopy'];
export const EventCopy: v.GenericSchema<unknown, EventCopy> = plainObject({
  address: 'string',
  at: 'string',
  by: 'string',
  kind: 'string',
});
