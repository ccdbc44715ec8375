import { type Position, position } from '../session/position';
import type { City } from './city';

export interface Located {
  /** The name with its suffix, as maps have it: 上海市. */
  name: string;
  /** The same city in the shop's list, where it sells there. */
  city: City | undefined;
}

/** The city that a position is in. Its division code is the legacy source's id as well. */
export async function cityNear(here: Position): Promise<{ name: string; code: string } | undefined> {
  const [{ nearestCityCode }, { areaList }] = await Promise.all([import('./city-centres'), import('@vant/area-data')]);
  const code = nearestCityCode(here);
  if (!code) return undefined;
  // The special regions stand in the data as provinces.
  const name = areaList.city_list[code] ?? areaList.province_list[code];
  return name ? { name, code } : undefined;
}

/** The city the phone is in, or nothing. */
export async function locateCity(cities: readonly City[]): Promise<Located | undefined> {
  const here = await position();
  const found = here && (await cityNear(here));
  return found && { name: found.name, city: cities.find((city) => city.cityid1 === found.code) };
}
