import type { City } from '../../api/city';
import type { Position } from './city-centres';

/** Where the phone is, or nothing when it does not say. */
export function position(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      () => resolve(undefined),
      { timeout: 6000, maximumAge: 10 * 60_000 },
    );
  });
}

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
