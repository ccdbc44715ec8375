// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type OAuthIdentity = components['schemas']['OAuthIdentity'];
export const OAuthIdentity: v.GenericSchema<unknown, OAuthIdentity> = plainObject({
  bound: 'boolean',
  openid: 'string',
  yz_code: 'string',
});
