import { type Position, position } from '../session/position';
import type { City } from '../wire/generated/City';

export interface Located {
  /** The name with its administrative suffix: 上海市. */
  name: string;
  /** The same city in the shop's list; undefined if the shop does not sell there. */
  city: City | undefined;
}

/**
 * The city at a position; undefined if none is near. `code` is its administrative division code (310100), which is also
 * its id in the shop.
 */
export async function cityNear(here: Position): Promise<{ name: string; code: string } | undefined> {
  const [{ nearestCityCode }, { areaList }] = await Promise.all([import('./city-centers'), import('@vant/area-data')]);
  const code = nearestCityCode(here);
  if (!code) return undefined;
  // The data lists the special administrative regions as provinces.
  const name = areaList.city_list[code] ?? areaList.province_list[code];
  return name ? { name, code } : undefined;
}

/** The city at the phone's position; undefined if the position is unknown or far from all cities. */
export async function locateCity(cities: readonly City[]): Promise<Located | undefined> {
  const here = await position();
  const found = here && (await cityNear(here));
  return found && { name: found.name, city: cities.find((city) => city.id === found.code) };
}
