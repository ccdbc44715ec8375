import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import type { City } from '../../shop/city';
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

/** Loads the first 25 stage shows of the country, those of the city first. A failure shows no message. */
export function listDramas(cityid: string, signal?: AbortSignal) {
  return callGateway('drama.list', { cityid, pageNo: 1, pageSize: 25 }, Dramas, { signal, quiet: true });
}

/** The stage shows in a city. */
export function dramasQuery({ cityid1, name }: Pick<City, 'cityid1' | 'name'>) {
  return queryOptions({
    queryKey: ['dramas', cityid1],
    queryFn: ({ signal }) => listDramas(cityid1, signal),
    select: (page) => page.projectList.filter((drama) => bareName(drama.city) === bareName(name)),
    staleTime: 10 * 60_000,
    refetchOnWindowFocus: true,
  });
}

function bareName(city: string): string {
  return city.replace(/市$/, '');
}
