// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Card } from './Card';
import { RechargePackage } from './RechargePackage';
import type { components } from './shop';

export type RechargePage = components['schemas']['RechargePage'];
export const RechargePage: v.GenericSchema<unknown, RechargePage> = v.object({
  card: Card,
  card_num: v.string(),
  taocan: v.array(RechargePackage),
});
