// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { CardWithCode } from './CardWithCode';
import type { components } from './shop';

export type CardPage = components['schemas']['CardPage'];
export const CardPage: v.GenericSchema<unknown, CardPage> = v.object({
  card: CardWithCode,
  card_num: v.string(),
});
