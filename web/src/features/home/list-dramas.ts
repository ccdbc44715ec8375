import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { callGateway } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

/** A stage show. The shop lists it for information and sells no tickets for it. */
const Drama = v.object({
  projectid: text,
  name: text,
  poster: text,
  venue: text,
  city: text,
  /** A date and time such as 2026-12-01 19:30, or the days in the words of the theatre. */
  showtime: text,
  /** The lowest price in cents. */
  minprice: numeric,
});
export type Drama = v.InferOutput<typeof Drama>;

const Dramas = v.object({ total: numeric, projectList: v.array(Drama) });

/** Loads the first 25 stage shows, those of the city first. A failure shows no message. */
export function listDramas(cityid: string, signal?: AbortSignal) {
  return callGateway('drama.list', { cityid, pageNo: 1, pageSize: 25 }, Dramas, { signal, quiet: true });
}

export function dramasQuery(cityid: string) {
  return queryOptions({
    queryKey: ['dramas', cityid],
    queryFn: ({ signal }) => listDramas(cityid, signal),
    select: (page) => page.projectList,
    staleTime: 10 * 60_000,
  });
}

/** The venue, preceded by its city if that is not `chosen` and the name of the venue does not begin with it. */
export function placeOf({ venue, city }: Drama, chosen: string): string {
  const bare = city.replace(/市$/, '');
  return city === chosen || venue.startsWith(bare) ? venue : `${bare} · ${venue}`;
}
