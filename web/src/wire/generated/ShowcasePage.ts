// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Banner } from './Banner';
import { VoucherTile } from './VoucherTile';
import type { components } from './shop';

export type ShowcasePage = components['schemas']['ShowcasePage'];
export const ShowcasePage: v.GenericSchema<unknown, ShowcasePage> = v.object({
  banners: v.array(Banner),
  kaquan_list1: v.array(VoucherTile),
  kaquan_list2: v.array(VoucherTile),
});
