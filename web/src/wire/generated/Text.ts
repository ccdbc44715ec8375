// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type Text = components['schemas']['Text'];
export const Text: v.GenericSchema<unknown, Text> = plainObject({
  content: 'string',
  title: 'string',
});
