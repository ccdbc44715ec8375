// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type TicketAddress = components['schemas']['TicketAddress'];
export const TicketAddress: v.GenericSchema<unknown, TicketAddress> = plainObject({
  expires_in: 'number',
  url: 'string',
});
