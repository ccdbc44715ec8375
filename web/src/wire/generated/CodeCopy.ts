// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type CodeCopy = components['schemas']['CodeCopy'];
export const CodeCopy: v.GenericSchema<unknown, CodeCopy> = plainObject({
  code: 'string',
  name: 'string',
});
