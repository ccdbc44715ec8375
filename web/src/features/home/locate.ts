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
  const division = areaList.city_list[code];
  // Four municipalities and the two special regions stand in the data as a province with one city of another name.
  const name = division && division.endsWith('市') ? division : (areaList.province_list[`${code.slice(0, 2)}0000`] ?? division);
  return name ? { name, city: cities.find((city) => city.cityid1 === code) } : undefined;
}
