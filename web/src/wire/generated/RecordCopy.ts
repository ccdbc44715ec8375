// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type RecordCopy = components['schemas']['RecordCopy'];
export const RecordCopy: v.GenericSchema<unknown, RecordCopy> = plainObject({
  at: 'string',
  event: 'string',
  points: 'string',
  remark: 'string',
});
