import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { maySayWhere, type Position, positionQuery } from '../session/position';
import { postMovie } from '../wire/client';
import { City, CityList, locatedName } from './city';
import { cityNear } from './locate-city';

const key = 'cities';
const remembered = 6;
const Remembered = v.array(City);
const listeners = new Set<() => void>();

function stored(): string {
  try {
    return localStorage.getItem(key) ?? '[]';
  } catch {
    return '[]';
  }
}

function read(text: string): City[] {
  try {
    return v.parse(Remembered, JSON.parse(text));
  } catch {
    // Another version of the app wrote it: the customer chooses once more.
    return [];
  }
}

/** Remembers a choice; the last one is the city the app shows. */
export function chooseCity(city: City): void {
  const others = read(stored()).filter((other) => other.id !== city.id);
  try {
    localStorage.setItem(key, JSON.stringify([city, ...others].slice(0, remembered)));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The cities chosen on this phone, the latest first. */
export function useRecentCities(): City[] {
  const text = useSyncExternalStore(subscribe, stored);
  return useMemo(() => read(text), [text]);
}

export function hotCities(signal?: AbortSignal) {
  return postMovie('hotcity', {}, CityList, { signal });
}

export const hotCitiesQuery = queryOptions({
  queryKey: ['hot-cities'],
  queryFn: ({ signal }) => hotCities(signal),
  select: (answer) => answer.list,
  staleTime: 60 * 60_000,
});

/** Milliseconds that a first page waits to know the city where the phone is. */
const locatePatience = 1500;

/** The shop's city where the phone is; nothing when the shop does not sell there. */
async function cityAt(here: Position, signal: AbortSignal): Promise<City | null> {
  const near = await cityNear(here);
  if (!near) return null;
  const { list } = await postMovie('citylist', { keyword: locatedName(near.name) }, CityList, { signal, quiet: true });
  return list.find((city) => city.cityid1 === near.code) ?? null;
}

const tooLate = () => new Promise<null>((resolve) => setTimeout(resolve, locatePatience, null));

/**
 * Where somebody is who has chosen nothing yet. Nobody is asked for it here: the phone says it, or a page asked before. What
 * comes too late is not taken: another city would switch under the finger. The list of cities offers it.
 */
const locatedCityQuery = queryOptions({
  queryKey: ['first-city'],
  queryFn: ({ client, signal }) => {
    async function locate() {
      const known = client.getQueryData(positionQuery.queryKey);
      if (!known && !(await maySayWhere())) return null;
      const here = known ?? (await client.fetchQuery(positionQuery));
      return here && cityAt(here, signal);
    }
    return Promise.race([locate(), tooLate()]);
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** The chosen city; for a first visit the one where the phone is, else the first of the hot cities, once it is known. */
export function useCity() {
  const [chosen] = useRecentCities();
  const hot = useQuery({ ...hotCitiesQuery, enabled: !chosen });
  const located = useQuery({ ...locatedCityQuery, enabled: !chosen });
  const first = located.isPending ? undefined : (located.data ?? hot.data?.[0]);
  return { city: chosen ?? first, isError: !chosen && !first && hot.isError, error: hot.error, refetch: hot.refetch };
}
