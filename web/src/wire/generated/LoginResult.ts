// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type LoginResult = components['schemas']['LoginResult'];
export const LoginResult: v.GenericSchema<unknown, LoginResult> = v.object({
  access: v.optional(v.picklist(["link","limited"])),
  openid: v.string(),
  phone: v.optional(v.string()),
  token: v.string(),
  uid: v.string(),
  yz_code: v.string(),
});
