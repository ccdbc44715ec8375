// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { AccountCopy } from './AccountCopy';
import { CardCopy } from './CardCopy';
import { EventCopy } from './EventCopy';
import { OrderCopy } from './OrderCopy';
import { SessionCopy } from './SessionCopy';
import type { components } from './shop';

export type Copy = components['schemas']['Copy'];
export const Copy: v.GenericSchema<unknown, Copy> = v.object({
  account: AccountCopy,
  cards: v.array(CardCopy),
  events: v.array(EventCopy),
  made_at: v.string(),
  orders: v.array(OrderCopy),
  sessions: v.array(SessionCopy),
});
