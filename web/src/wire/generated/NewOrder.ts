// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type NewOrder = components['schemas']['NewOrder'];
export const NewOrder: v.GenericSchema<unknown, NewOrder> = plainObject({
  orderid: 'string',
});
