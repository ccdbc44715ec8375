import * as v from 'valibot';
import { text } from '../wire/fields';

/**
 * A city of either source or both. id is its division code, cityid1 its id at the legacy source, cityid2 its id at
 * newmovie; that of a source without the city is empty.
 */
export const City = v.object({ id: text, name: text, cityid1: text, cityid2: text, pinyin: text });
export type City = v.InferOutput<typeof City>;

export const CityList = v.object({ list: v.array(City) });

/** The name of a city as a buyer says it: 北京 for 北京市. Other names, such as 延边朝鲜族自治州, stay whole. */
export function cityLabel(name: string): string {
  return name.replace(/^(.+)市$/, '$1');
}

/** Removes the administrative suffix that map services add to a city's name (上海市). */
export function locatedName(name: string): string {
  return name.slice(0, -1);
}
