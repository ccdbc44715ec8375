// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { Text } from './Text';
import type { components } from './shop';

export type BindingGuide = components['schemas']['BindingGuide'];
export const BindingGuide: v.GenericSchema<unknown, BindingGuide> = v.object({
  appid: v.string(),
  nonceStr: v.string(),
  signature: v.string(),
  single: Text,
  time: v.number(),
});
