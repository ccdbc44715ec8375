// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import type * as v from 'valibot';
import { plainObject } from '../plain-object';
import type { components } from './shop';

export type SessionDetail = components['schemas']['SessionDetail'];
export const SessionDetail: v.GenericSchema<unknown, SessionDetail> = plainObject({
  cinemaCode: 'string',
  cinemaId: 'string',
  cinemaName: 'string',
  endTime: 'string',
  hall: 'string',
  language: 'string',
  listPrice: 'string',
  movieCode: 'string',
  movieId: 'string',
  movieName: 'string',
  originPrice: 'string',
  posterUrl: 'string',
  sellable: 'boolean',
  sessionId: 'string',
  showTime: 'string',
  stopSellTime: 'string',
  version: 'string',
});
