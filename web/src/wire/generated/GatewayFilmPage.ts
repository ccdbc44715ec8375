// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { GatewayFilmDetail } from './GatewayFilmDetail';
import type { components } from './shop';

export type GatewayFilmPage = components['schemas']['GatewayFilmPage'];
export const GatewayFilmPage: v.GenericSchema<unknown, GatewayFilmPage> = v.object({
  film: GatewayFilmDetail,
});
