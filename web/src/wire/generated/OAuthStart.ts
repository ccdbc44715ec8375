// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type OAuthStart = components['schemas']['OAuthStart'];
export const OAuthStart: v.GenericSchema<unknown, OAuthStart> = plainObject({
  state: 'string',
  url: 'string',
});
