// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type SecurityPage = components['schemas']['SecurityPage'];
export const SecurityPage: v.GenericSchema<unknown, SecurityPage> = v.object({
  has_password: v.boolean(),
  next_proof: v.optional(v.picklist(["code","owner"])),
  phone: v.string(),
  wechat: v.boolean(),
});
