import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import { filmOf } from '../../shop/hot-films';
import { type CallOptions, callGateway } from '../../wire/client';
import { GatewayCinemaPage } from '../../wire/generated/GatewayCinemaPage';
import { ShowingList } from '../../wire/generated/ShowingList';

export type LegacyCinema = Awaited<ReturnType<typeof legacyCinema>>;

/** Loads a cinema of the legacy source and the films that it shows in the next seven days. */
export async function legacyCinema(cinemaid: string, options?: CallOptions) {
  const { cinema, filmList } = await callGateway('cinema.detail', { cinemaid }, GatewayCinemaPage, options);
  return { cinema, filmList: filmList.map(filmOf) };
}

/**
 * Options that make a refresh quiet. If the legacy source rejects a call that is not quiet, the app shows the error and
 * leaves the page, although the page still has content.
 */
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

/** Loads all showings of a film at a cinema, for every day. */
export function legacyShowings(cinemaid: string, movieid: string, options?: CallOptions) {
  return callGateway('opi.list.v2', { cinemaid, movieid }, ShowingList, options);
}

export function legacyShowingsQuery(cinemaid: string, movieid: string) {
  return queryOptions({
    queryKey: ['legacy-showings', cinemaid, movieid],
    queryFn: (context) => legacyShowings(cinemaid, movieid, quietOnceShown(context)),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  });
}

/** Selects the queries for the cinema's showings that the page currently uses. */
export function shownShowings(cinemaid: string) {
  return { queryKey: ['legacy-showings', cinemaid], type: 'active' } as const;
}
