import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { callGateway } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

/** A project of the stage. The shop tells of it and sells no tickets for it. */
const Drama = v.object({
  projectid: text,
  name: text,
  poster: text,
  venue: text,
  city: text,
  /** A moment like 2026-12-01 19:30, or the days as the theatre writes them. */
  showtime: text,
  /** In cents. */
  minprice: numeric,
});
export type Drama = v.InferOutput<typeof Drama>;

const Dramas = v.object({ total: numeric, projectList: v.array(Drama) });

/** The first page of the projects, the city's own before others. A failure is for nobody: home does without. */
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

/** Where it is played: the city is named where it is not the chosen one and the venue does not say it. */
export function placeOf({ venue, city }: Drama, chosen: string): string {
  const bare = city.replace(/市$/, '');
  return city === chosen || venue.startsWith(bare) ? venue : `${bare} · ${venue}`;
}
