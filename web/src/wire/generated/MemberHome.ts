// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Banner } from './Banner';
import { Category } from './Category';
import { Goods } from './Goods';
import type { components } from './shop';

export type MemberHome = components['schemas']['MemberHome'];
export const MemberHome: v.GenericSchema<unknown, MemberHome> = v.object({
  classify: v.array(Category),
  lbt: v.array(Banner),
  qita: v.array(Goods),
  yinyue: v.array(Goods),
  yuedu: v.array(Goods),
});
