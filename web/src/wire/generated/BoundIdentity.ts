// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type BoundIdentity = components['schemas']['BoundIdentity'];
export const BoundIdentity: v.GenericSchema<unknown, BoundIdentity> = plainObject({
  bound_at: 'string',
  confirmed: 'boolean',
  openid: 'string',
  used_at: 'string',
});
