// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { CastMember } from './CastMember';
import type { components } from './shop';

export type FilmDetail = components['schemas']['FilmDetail'];
export const FilmDetail: v.GenericSchema<unknown, FilmDetail> = v.object({
  cat: v.string(),
  desc: v.string(),
  director: v.string(),
  dur: v.string(),
  img: v.string(),
  isPreShow: v.number(),
  movieCode: v.string(),
  movieId: v.string(),
  name: v.string(),
  nm: v.string(),
  pubDesc: v.string(),
  score: v.string(),
  showSt: v.number(),
  star: v.string(),
  version: v.string(),
  wish: v.number(),
  workerList: v.array(CastMember),
});
