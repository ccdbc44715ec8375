// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type TicketCode = components['schemas']['TicketCode'];
export const TicketCode: v.GenericSchema<unknown, TicketCode> = plainObject({
  code: 'string',
  name: 'string',
});
