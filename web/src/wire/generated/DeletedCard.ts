// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type DeletedCard = components['schemas']['DeletedCard'];
export const DeletedCard: v.GenericSchema<unknown, DeletedCard> = plainObject({
  status: 'number',
});
