// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type BridgeParams = components['schemas']['BridgeParams'];
export const BridgeParams: v.GenericSchema<unknown, BridgeParams> = plainObject({
  appId: 'string',
  nonceStr: 'string',
  package: 'string',
  paySign: 'string',
  signType: 'string',
  timeStamp: 'string',
});
