// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import type { components } from './shop';

export type ConfirmedSession = components['schemas']['ConfirmedSession'];
export const ConfirmedSession: v.GenericSchema<unknown, ConfirmedSession> = v.object({
  access: v.picklist(["","link","limited"]),
});
