// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type CastMember = components['schemas']['CastMember'];
export const CastMember: v.GenericSchema<unknown, CastMember> = plainObject({
  actorName: 'string',
  avatarUrl: 'string',
  characterName: 'string',
});
