// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type UploadedPicture = components['schemas']['UploadedPicture'];
export const UploadedPicture: v.GenericSchema<unknown, UploadedPicture> = plainObject({
  img: 'string',
});
