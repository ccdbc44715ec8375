// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GatewayCity } from './GatewayCity';
import type { components } from './shop';

export type GatewayCities = components['schemas']['GatewayCities'];
export const GatewayCities: v.GenericSchema<unknown, GatewayCities> = v.object({
  cityList: v.array(GatewayCity),
});
