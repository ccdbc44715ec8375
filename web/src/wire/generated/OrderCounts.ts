// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type OrderCounts = components['schemas']['OrderCounts'];
export const OrderCounts: v.GenericSchema<unknown, OrderCounts> = plainObject({
  all: 'number',
  completed: 'number',
  pending: 'number',
  to_use: 'number',
});
