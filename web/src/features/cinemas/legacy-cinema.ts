import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { LegacyFilm } from '../../shop/hot-films';
import { type CallOptions, callGateway } from '../../wire/client';
import { list, numeric, text } from '../../wire/fields';

const LegacyCinema = v.object({
  cinema: v.object({ cinemaid: text, cinemaname: text, address: text, phone: text }),
  filmList: list(LegacyFilm),
});
export type LegacyCinema = v.InferOutput<typeof LegacyCinema>;

/** Loads a cinema of the legacy source and the films that it shows in the next seven days. */
export function legacyCinema(cinemaid: string, options?: CallOptions) {
  return callGateway('cinema.detail', { cinemaid }, LegacyCinema, options);
}

/** A refusal of a refresh is quiet: the page keeps what it shows and is not left. */
function quietOnceShown({ client, queryKey, signal }: QueryFunctionContext): CallOptions {
  return { signal, quiet: client.getQueryData(queryKey) !== undefined };
}

export function legacyCinemaQuery(cinemaid: string) {
  return queryOptions({
    queryKey: ['legacy-cinema', cinemaid],
    queryFn: (context) => legacyCinema(cinemaid, quietOnceShown(context)),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });
}

export const Showing = v.object({
  opiid: text,
  movieid: text,
  moviename: text,
  playdate: text,
  playtime: text,
  endtime: text,
  closetime: text,
  edition: text,
  language: text,
  roomname: text,
  /** The cinema's own price in cents. */
  showPrice: numeric,
  /** The shop's price in cents. */
  price: numeric,
  /** Area and price in cents: `A:4200,B:5200`. Empty for a hall without areas. */
  areaPrice: text,
});
export type Showing = v.InferOutput<typeof Showing>;

const Showings = v.object({ dates: list(v.string()), opiList: list(Showing) });

/** Loads all showings of a film at a cinema, for every day. */
export function legacyShowings(cinemaid: string, movieid: string, options?: CallOptions) {
  return callGateway('opi.list.v2', { cinemaid, movieid }, Showings, options);
}

export function legacyShowingsQuery(cinemaid: string, movieid: string) {
  return queryOptions({
    queryKey: ['legacy-showings', cinemaid, movieid],
    queryFn: (context) => legacyShowings(cinemaid, movieid, quietOnceShown(context)),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  });
}

/** Selects the showings of the cinema that a page shows now. */
export function shownShowings(cinemaid: string) {
  return { queryKey: ['legacy-showings', cinemaid], type: 'active' } as const;
}

/** Parses the area prices of a showing. Pairs that are incomplete or not numeric are left out. */
export function areaPrices(showing: Pick<Showing, 'areaPrice'>): { area: string; cents: number }[] {
  return showing.areaPrice
    .split(',')
    .map((pair) => pair.split(':'))
    .flatMap(([area, cents]) =>
      area && cents && Number.isFinite(Number(cents)) ? [{ area, cents: Number(cents) }] : [],
    );
}
