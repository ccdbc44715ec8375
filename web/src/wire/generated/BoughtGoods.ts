// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type BoughtGoods = components['schemas']['BoughtGoods'];
export const BoughtGoods: v.GenericSchema<unknown, BoughtGoods> = plainObject({
  end_time: 'number',
  ggid: 'string',
  gueige: 'string',
  id: 'string',
  img: 'string',
  title: 'string',
});
