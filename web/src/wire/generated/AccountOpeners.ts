// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { BoundIdentity } from './BoundIdentity';
import { OpenSession } from './OpenSession';
import type { components } from './shop';

export type AccountOpeners = components['schemas']['AccountOpeners'];
export const AccountOpeners: v.GenericSchema<unknown, AccountOpeners> = v.object({
  identities: v.array(BoundIdentity),
  sessions: v.array(OpenSession),
});
