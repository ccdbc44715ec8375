import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isPositionGranted, type Position, positionQuery } from '../session/position';
import { postMovie } from '../wire/client';
import { City, CityList, locatedName } from './city';
import { storedList } from './device-list';
import { cityNear } from './locate-city';
import { usePlace } from './use-place';

const recentCities = storedList('cities', 6, City, (city) => city.id);

/** Stores a chosen city. The app shows the city that was chosen last. */
export const chooseCity = recentCities.put;

/** The last six cities chosen on this phone, the latest first. */
export const useRecentCities = recentCities.useItems;

/**
 * The city that an address names by its id or by its id at a source, as links that customers share do; undefined if it
 * names none. A customer who has not chosen a city gets this one.
 */
export function useCityOfAddress(id: string | null): City | undefined {
  const recent = useRecentCities();
  const known = recent.find((city) => isCity(city, id));
  const { data } = useQuery({
    queryKey: ['city-of-address', id],
    queryFn: async ({ signal }) => {
      const { list } = await postMovie('citylist', {}, CityList, { signal, quiet: true });
      return list.find((city) => isCity(city, id)) ?? null;
    },
    enabled: Boolean(id) && !known,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = known ?? data ?? undefined;
  const first = recent.length === 0;
  useEffect(() => {
    if (first && found) chooseCity(found);
  }, [first, found]);
  return found;
}

function isCity(city: City, id: string | null): boolean {
  return id !== null && id !== '' && [city.id, city.cityid1, city.cityid2].includes(id);
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

/** Milliseconds that the first page waits for the phone's city. */
const locateTimeout = 1500;

/** The city of the shop at a position; null if the shop does not sell there. */
async function cityAt(here: Position, signal: AbortSignal): Promise<City | null> {
  const near = await cityNear(here);
  if (!near) return null;
  const { list } = await postMovie('citylist', { keyword: locatedName(near.name) }, CityList, { signal, quiet: true });
  return list.find((city) => city.cityid1 === near.code) ?? null;
}

/** The city at the phone's position, however long it takes; null if it is not known. It opens no permission dialog. */
const locatedCityQuery = queryOptions({
  queryKey: ['city-here'],
  queryFn: async ({ client, signal }) => {
    const known = client.getQueryData(positionQuery.queryKey);
    if (!known && !(await isPositionGranted())) return null;
    const here = known ?? (await client.fetchQuery(positionQuery));
    return here && cityAt(here, signal);
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/**
 * The located city if it is known within locateTimeout, else null, for customers who have not chosen a city. A later
 * one does not change the page during use: useLateCity offers it.
 */
const firstCityQuery = queryOptions({
  queryKey: ['first-city'],
  queryFn: ({ client }) => {
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, locateTimeout, null));
    return Promise.race([client.fetchQuery(locatedCityQuery), timeout]);
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** The city that useCity returns first; undefined if the hot cities cannot be read. */
export async function firstCity(client: QueryClient): Promise<City | undefined> {
  const [chosen] = recentCities.items();
  if (chosen) return chosen;
  const [located, hot] = await Promise.all([client.fetchQuery(firstCityQuery), client.fetchQuery(hotCitiesQuery)]);
  return located ?? hot.list[0];
}

/** The city that a customer without a choice saw last. */
const shownCity = storedList('shown-city', 1, City, (city) => city.id);

/**
 * The chosen city. Without a choice it is the city at the phone's position, else the first hot city, and while those
 * cannot be loaded the one that was shown last.
 */
export function useCity() {
  const [chosen] = useRecentCities();
  const [shown] = shownCity.useItems();
  const hot = useQuery({ ...hotCitiesQuery, enabled: !chosen });
  const located = useQuery({ ...firstCityQuery, enabled: !chosen });
  const first = located.isPending ? undefined : (located.data ?? hot.data?.[0] ?? (hot.isError ? shown : undefined));
  useEffect(() => {
    if (!chosen && first && first.id !== shown?.id) shownCity.put(first);
  }, [chosen, first, shown]);
  return { city: chosen ?? first, isError: !chosen && !first && hot.isError, error: hot.error, refetch: hot.refetch };
}

/** The city at the phone's position, if it became known after the page had begun with another and none was chosen. */
export function useLateCity(shown: City | undefined): City | undefined {
  const [chosen] = useRecentCities();
  const { data: first } = useQuery({ ...firstCityQuery, enabled: false });
  const { data: located } = useQuery({ ...locatedCityQuery, enabled: false });
  return !chosen && first === null && shown && located && located.id !== shown.id ? located : undefined;
}

/**
 * The city as by useCity, kept in the query value `city` of the page, so that a shared link opens the same city for a
 * customer who has not chosen one. The address follows the choice.
 */
export function usePlaceCity(): ReturnType<typeof useCity> {
  const [inAddress, setInAddress] = usePlace('city');
  const chosen = useCity();
  // The id that this hook has put there itself is no choice of the customer.
  const other = inAddress !== chosen.city?.id;
  const named = useCityOfAddress(other ? inAddress : null);
  const [recent] = useRecentCities();
  // Until the city of the address is known, a customer without a choice waits for it.
  const waits = inAddress !== '' && other && !recent && !named && !chosen.isError;
  const city = recent ? chosen.city : (named ?? chosen.city);
  useEffect(() => {
    if (city && !waits && city.id !== inAddress) setInAddress(city.id);
  }, [city, waits, inAddress, setInAddress]);
  return { ...chosen, city };
}
