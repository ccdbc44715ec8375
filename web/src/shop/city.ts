import * as v from 'valibot';
import { text } from '../wire/fields';

/** A city of both sources. cityid1 is its id at the legacy source, cityid2 its id at newmovie. */
export const City = v.object({ id: text, name: text, cityid1: text, cityid2: text, pinyin: text });
export type City = v.InferOutput<typeof City>;

export const CityList = v.object({ list: v.array(City) });

/** Removes the administrative suffix that map services add to a city's name (上海市). */
export function locatedName(name: string): string {
  return name.slice(0, -1);
}
