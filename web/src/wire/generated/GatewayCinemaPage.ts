// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GatewayCinema } from './GatewayCinema';
import { GatewayFilm } from './GatewayFilm';
import type { components } from './shop';

export type GatewayCinemaPage = components['schemas']['GatewayCinemaPage'];
export const GatewayCinemaPage: v.GenericSchema<unknown, GatewayCinemaPage> = v.object({
  cinema: GatewayCinema,
  filmList: v.array(GatewayFilm),
});
