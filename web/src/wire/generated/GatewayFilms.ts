// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GatewayFilm } from './GatewayFilm';
import type { components } from './shop';

export type GatewayFilms = components['schemas']['GatewayFilms'];
export const GatewayFilms: v.GenericSchema<unknown, GatewayFilms> = v.object({
  filmList: v.array(GatewayFilm),
  total: v.number(),
});
