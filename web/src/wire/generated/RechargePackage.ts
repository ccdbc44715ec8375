// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type RechargePackage = components['schemas']['RechargePackage'];
export const RechargePackage: v.GenericSchema<unknown, RechargePackage> = plainObject({
  danjia: 'string',
  id: 'string',
  num: 'string',
  price: 'string',
});
