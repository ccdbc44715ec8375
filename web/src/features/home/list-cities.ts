import { queryOptions } from '@tanstack/react-query';
import { type City, CityList } from '../../shop/city';
import { postMovie } from '../../wire/client';

/** Loads the cities whose name or pinyin matches `keyword`, or all cities if it is empty. */
export function listCities(keyword = '', signal?: AbortSignal) {
  return postMovie('citylist', { keyword }, CityList, { signal });
}

export const citiesQuery = queryOptions({
  queryKey: ['cities'],
  queryFn: ({ signal }) => listCities('', signal),
  select: (answer) => answer.list,
  staleTime: 60 * 60_000,
});

type PinyinMatch = (text: string, keyword: string) => unknown;

/**
 * The cities whose name, pinyin or initials match `keyword`: 上, shang and sh all find 上海. Without `pinyinMatch`, which
 * is loaded on demand, only the name and the beginning of the pinyin are compared.
 */
export function findCities(cities: readonly City[], keyword: string, pinyinMatch: PinyinMatch | undefined): City[] {
  const wanted = keyword.trim().toLowerCase();
  return cities.filter(
    (city) =>
      city.name.includes(wanted) ||
      city.pinyin.toLowerCase().replaceAll(/[\s']/g, '').startsWith(wanted) ||
      (pinyinMatch !== undefined && Boolean(pinyinMatch(city.name, wanted))),
  );
}
