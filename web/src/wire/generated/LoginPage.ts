// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type LoginPage = components['schemas']['LoginPage'];
export const LoginPage: v.GenericSchema<unknown, LoginPage> = plainObject({
  weblogo: 'string',
  zxkf: 'string',
});
