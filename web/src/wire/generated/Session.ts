// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Session = components['schemas']['Session'];
export const Session: v.GenericSchema<unknown, Session> = plainObject({
  endTime: 'string',
  hall: 'string',
  language: 'string',
  listPrice: 'string',
  originPrice: 'string',
  sellable: 'boolean',
  sessionId: 'string',
  showTime: 'string',
  version: 'string',
});
