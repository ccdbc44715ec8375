import type { City } from '../../api/city';
import { position } from '../../api/position';

export interface Located {
  /** The name with its suffix, as maps have it: 上海市. */
  name: string;
  /** The same city in the shop's list, where it sells there. */
  city: City | undefined;
}

/** The city the phone is in, or nothing. */
export async function locateCity(cities: readonly City[]): Promise<Located | undefined> {
  const here = await position();
  if (!here) return undefined;
  const [{ nearestCityCode }, { areaList }] = await Promise.all([import('./city-centres'), import('@vant/area-data')]);
  const code = nearestCityCode(here);
  if (!code) return undefined;
  // The special regions stand in the data as provinces.
  const name = areaList.city_list[code] ?? areaList.province_list[code];
  return name ? { name, city: cities.find((city) => city.cityid1 === code) } : undefined;
}
