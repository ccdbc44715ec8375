import type { City } from '../../shop/city';

type Match = (text: string, keyword: string) => unknown;

/** Cities whose name, pinyin or initials match: 上, shang and sh all find 上海. */
export function findCities(cities: readonly City[], keyword: string, pinyinMatch: Match | undefined): City[] {
  const wanted = keyword.trim().toLowerCase();
  return cities.filter(
    (city) =>
      city.name.includes(wanted) ||
      city.pinyin.toLowerCase().replaceAll(/[\s']/g, '').startsWith(wanted) ||
      (pinyinMatch !== undefined && Boolean(pinyinMatch(city.name, wanted))),
  );
}
