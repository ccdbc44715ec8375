// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Card } from './Card';
import type { components } from './shop';

export type GoodsCards = components['schemas']['GoodsCards'];
export const GoodsCards: v.GenericSchema<unknown, GoodsCards> = v.object({
  card_list: v.array(Card),
  has_password: v.boolean(),
  openid: v.string(),
});
