// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { CastMember } from './CastMember';
import type { components } from './shop';

export type GatewayFilmDetail = components['schemas']['GatewayFilmDetail'];
export const GatewayFilmDetail: v.GenericSchema<unknown, GatewayFilmDetail> = v.object({
  cat: v.string(),
  desc: v.string(),
  director: v.string(),
  dur: v.string(),
  img: v.string(),
  moviecode: v.string(),
  movieid: v.string(),
  name: v.string(),
  nm: v.string(),
  pubDesc: v.string(),
  score: v.string(),
  showst: v.number(),
  star: v.string(),
  version: v.string(),
  wish: v.number(),
  workerList: v.array(CastMember),
});
