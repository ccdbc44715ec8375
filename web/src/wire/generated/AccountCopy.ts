// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type AccountCopy = components['schemas']['AccountCopy'];
export const AccountCopy: v.GenericSchema<unknown, AccountCopy> = v.object({
  avatar_url: v.string(),
  created_at: v.string(),
  has_payment_password: v.boolean(),
  id: v.number(),
  phone: v.string(),
  wechat_openids: v.array(v.string()),
});
