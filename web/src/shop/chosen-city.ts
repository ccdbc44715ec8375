import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { isPositionGranted, type Position, positionQuery } from '../session/position';
import { post } from '../wire/client';
import { City } from '../wire/generated/City';
import { CityList } from '../wire/generated/CityList';
import { locatedName } from './city';
import { storedList } from './device-list';
import { cityNear } from './locate-city';
import { useChangePlace } from './use-place';

const recentCities = storedList('cities', 6, City, (city) => city.id);

/**
 * The city of a shared link, shown in this browser tab until the customer chooses a city. It does not replace the
 * chosen city.
 */
const visitedCity = storedList(
  'visited-city',
  1,
  City,
  (city) => city.id,
  () => sessionStorage,
);

/** Stores a chosen city and shows it, also in place of the city of a shared link. */
export function chooseCity(city: City): void {
  visitedCity.clear();
  recentCities.put(city);
}

/** Shows the city of a link. It becomes the chosen one only for a customer who has not chosen any. */
export function visitCity(city: City): void {
  const [own] = recentCities.items();
  if (!own) recentCities.put(city);
  else if (own.id === city.id) visitedCity.clear();
  else visitedCity.put(city);
}

/** The last six cities chosen on this phone, the latest first. */
export const useRecentCities = recentCities.useItems;

/** The city of a shared link, else the chosen city; undefined if there is neither. Does not call the shop. */
export function useKnownCity(): City | undefined {
  const [own] = useRecentCities();
  const [visited] = visitedCity.useItems();
  return visited ?? own;
}

/**
 * The city that has this id in the shop or at one of the two sources; undefined if there is none, and while the list of
 * cities loads.
 */
function useNamedCity(id: string | null): { city: City | undefined; isPending: boolean; isError: boolean } {
  const known = useRecentCities().find((city) => isCity(city, id));
  const asks = Boolean(id) && !known;
  const { data, isPending, isError } = useQuery({
    queryKey: ['city-of-address', id],
    queryFn: async ({ signal }) => {
      const { list } = await post('/movie/route/Movie/citylist', {}, CityList, { signal, quiet: true });
      return list.find((city) => isCity(city, id)) ?? null;
    },
    enabled: asks,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { city: known ?? data ?? undefined, isPending: asks && isPending, isError: asks && isError };
}

/**
 * The city of a shared link, whose address contains its id in the shop or at one of the two sources. Undefined if the
 * address contains no such id. It becomes the chosen city of a customer who has not chosen any.
 */
export function useCityOfAddress(id: string | null): City | undefined {
  const { city } = useNamedCity(id);
  const first = useRecentCities().length === 0;
  useEffect(() => {
    if (first && city) chooseCity(city);
  }, [first, city]);
  return city;
}

function isCity(city: City, id: string | null): boolean {
  return id !== null && id !== '' && [city.id, city.cityid1, city.cityid2].includes(id);
}

export function hotCities(signal?: AbortSignal) {
  return post('/movie/route/Movie/hotcity', {}, CityList, { signal });
}

export const hotCitiesQuery = queryOptions({
  queryKey: ['hot-cities'],
  queryFn: ({ signal }) => hotCities(signal),
  select: (answer) => answer.list,
  staleTime: 60 * 60_000,
});

/** Milliseconds that the first page waits for the city at the phone's position. */
const locateTimeout = 1500;

/** The shop's city at a position; null if the shop does not sell there. */
async function cityAt(position: Position): Promise<City | null> {
  const near = await cityNear(position);
  if (!near) return null;
  const { list } = await post('/movie/route/Movie/citylist', { keyword: locatedName(near.name) }, CityList, {
    quiet: true,
  });
  return list.find((city) => city.id === near.code) ?? null;
}

/**
 * The city at the phone's position, without a time limit; null if it is unknown. It opens no permission dialog.
 *
 * It does not use the abort signal of TanStack Query. Otherwise leaving the page would cancel it, and TanStack Query
 * would treat firstCityQuery, which waits for it, as cancelled too: firstCityQuery would stay pending on the next page.
 */
const locatedCityQuery = queryOptions({
  queryKey: ['city-here'],
  queryFn: async ({ client }) => {
    const known = client.getQueryData(positionQuery.queryKey);
    if (!known && !(await isPositionGranted())) return null;
    const position = known ?? (await client.fetchQuery(positionQuery));
    return position && cityAt(position);
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/**
 * For customers who have not chosen a city: the city at the phone's position if it is known within locateTimeout, else
 * null. A city that becomes known later does not change the page during use; useOfferedCity offers it.
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

/** The city that was last shown to a customer who has not chosen one. */
const shownCity = storedList('shown-city', 1, City, (city) => city.id);

/**
 * The city with which usePlaceCity will start for an address with this query, so that a loader can already make the
 * calls for the city. Undefined if the address contains a city that has yet to be looked up. Rejects if the hot cities
 * fail to load.
 */
export async function firstCity(client: QueryClient, query: URLSearchParams): Promise<City | undefined> {
  const [known] = [...visitedCity.items(), ...recentCities.items()];
  const last = known ?? shownCity.items()[0];
  const linked = query.get('city');
  if (linked && !(last && isCity(last, linked))) return undefined;
  if (known) return known;
  const [located, hot] = await Promise.all([client.fetchQuery(firstCityQuery), client.fetchQuery(hotCitiesQuery)]);
  return located ?? hot.list[0];
}

/**
 * The city of a shared link, else the chosen city, else the city at the phone's position, else the first hot city. If
 * the hot cities fail to load, it is the city that was last shown.
 */
export function useCity() {
  const known = useKnownCity();
  const [shown] = shownCity.useItems();
  const hot = useQuery({ ...hotCitiesQuery, enabled: !known });
  const located = useQuery({ ...firstCityQuery, enabled: !known });
  const first = located.isPending ? undefined : (located.data ?? hot.data?.[0] ?? (hot.isError ? shown : undefined));
  useEffect(() => {
    if (!known && first && first.id !== shown?.id) shownCity.put(first);
  }, [known, first, shown]);
  return { city: known ?? first, isError: !known && !first && hot.isError, error: hot.error, refetch: hot.refetch };
}

/**
 * The city that a page offers instead of the shown one: the chosen city while that of a link is shown, or, if no city
 * was chosen, the city at the phone's position if it became known after the page was opened.
 */
export function useOfferedCity(shown: City | undefined): City | undefined {
  const [own] = useRecentCities();
  const { data: first } = useQuery({ ...firstCityQuery, enabled: false });
  const { data: located } = useQuery({ ...locatedCityQuery, enabled: false });
  const offered = own ?? (first === null ? located : undefined);
  return shown && offered && offered.id !== shown.id ? offered : undefined;
}

/**
 * The query value `city` of the page. `isOwn` is true if the app itself has put it there, and false if it came with a
 * link. This is stored in the state of the history entry, which survives a reload and the redirect to a payment page.
 */
function useCityInAddress() {
  const [query] = useSearchParams();
  const { state } = useLocation();
  const changePlace = useChangePlace();
  const id = query.get('city') ?? '';
  const put = useCallback((city: string) => changePlace('city', city, { city }), [changePlace]);
  return { id, isOwn: state?.city === id, put };
}

/**
 * The same as useCity, but the query value `city` of the page also contains the city, so that a shared link opens the
 * same city. The city of a link is shown until the customer chooses another, which then replaces it in the address. If
 * the lookup of a link's city fails, the address stays as it is, so that a later try can find the city.
 */
export function usePlaceCity(): ReturnType<typeof useCity> {
  const { id, isOwn, put } = useCityInAddress();
  const shown = useCity();
  const linked = id !== '' && id !== shown.city?.id && !isOwn;
  const { city: named, isPending, isError: isUnknown } = useNamedCity(linked ? id : null);
  const waits = linked && (isPending || named !== undefined);
  const city = waits ? named : shown.city;
  useEffect(() => {
    if (!city || isUnknown) return;
    if (linked && named) visitCity(named);
    if (!isOwn || city.id !== id) put(city.id);
  }, [city, named, isUnknown, linked, isOwn, id, put]);
  return { ...shown, city, isError: shown.isError && !waits };
}
