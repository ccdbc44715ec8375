import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import type { City } from '../../wire/generated/City';
import { CityList } from '../../wire/generated/CityList';

/** Loads the cities whose name or pinyin matches `keyword`, or all cities if it is empty. */
export function listCities(keyword = '', signal?: AbortSignal) {
  return post('/movie/route/Movie/citylist', { keyword }, CityList, { signal });
}

export const citiesQuery = queryOptions({
  queryKey: ['cities'],
  queryFn: ({ signal }) => listCities('', signal),
  select: (answer) => answer.list,
  staleTime: 60 * 60_000,
});

/**
 * The function `match` of the package pinyin-match. It returns the indexes of the first and the last character of
 * `text` that match, or false.
 */
type PinyinMatch = (text: string, keyword: string) => unknown;

/** The indexes of the first and last character of a name that match `keyword`; undefined if it does not match. */
export function matchIn(name: string, keyword: string, pinyinMatch: PinyinMatch | undefined) {
  const wanted = keyword.trim().toLowerCase();
  const at = name.indexOf(wanted);
  if (at >= 0) return [at, at + wanted.length - 1] as const;
  const match = pinyinMatch?.(name, wanted);
  return Array.isArray(match) ? ([Number(match[0]), Number(match[1])] as const) : undefined;
}

/**
 * The cities whose name, pinyin or initials match `keyword`: 上, shang and sh all find 上海. Cities whose name or pinyin
 * starts with it come first, and among these the hot cities. While `pinyinMatch`, which is loaded on demand, is
 * undefined, only the name and the start of the pinyin are compared.
 */
export function findCities(
  cities: readonly City[],
  keyword: string,
  hot: readonly City[],
  pinyinMatch: PinyinMatch | undefined,
): City[] {
  const wanted = keyword.trim().toLowerCase();
  const hotIds = new Set(hot.map(({ id }) => id));
  const begins = (city: City) =>
    city.name.startsWith(wanted) || city.pinyin.toLowerCase().replaceAll(/[\s']/g, '').startsWith(wanted);
  const rank = (city: City) => (begins(city) ? (hotIds.has(city.id) ? 0 : 1) : 2);
  return cities
    .filter(
      (city) =>
        begins(city) ||
        city.name.includes(wanted) ||
        (pinyinMatch !== undefined && Boolean(pinyinMatch(city.name, wanted))),
    )
    .sort((a, b) => rank(a) - rank(b));
}
