// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GatewayDrama } from './GatewayDrama';
import type { components } from './shop';

export type GatewayDramas = components['schemas']['GatewayDramas'];
export const GatewayDramas: v.GenericSchema<unknown, GatewayDramas> = v.object({
  projectList: v.array(GatewayDrama),
  total: v.number(),
});
