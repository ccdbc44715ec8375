// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Card } from './Card';
import type { components } from './shop';

export type CardList = components['schemas']['CardList'];
export const CardList: v.GenericSchema<unknown, CardList> = v.object({
  card_list: v.array(Card),
});
