import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { City, CityList } from './city';
import { postMovie } from './client';
import * as z from './shape';

const key = 'cities';
const remembered = 6;
const Remembered = z.array(City);
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
    return z.parse(Remembered, JSON.parse(text));
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

/** The chosen city; for a first visit the first of the hot cities, once it is known. */
export function useCity() {
  const [chosen] = useRecentCities();
  const hot = useQuery({ ...hotCitiesQuery, enabled: !chosen });
  return { city: chosen ?? hot.data?.[0], isError: !chosen && hot.isError, error: hot.error, refetch: hot.refetch };
}
