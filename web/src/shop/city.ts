import * as v from 'valibot';
import { text } from '../wire/fields';

/** A city of both sources: cityid1 is the legacy source's id for it, cityid2 the other's. */
export const City = v.object({ id: text, name: text, cityid1: text, cityid2: text, pinyin: text });
export type City = v.InferOutput<typeof City>;

export const CityList = v.object({ list: v.array(City) });

/** Positioning names a city with its administrative suffix (上海市); people say the name without it. */
export function locatedName(name: string): string {
  return name.slice(0, -1);
}

/** The letter a city stands under in the index: the first of its pinyin, or # when it has none. */
export function letterOf(city: City): string {
  const letter = city.pinyin.charAt(0).toUpperCase();
  return /[A-Z]/.test(letter) ? letter : '#';
}

export interface CityGroup {
  letter: string;
  cities: City[];
}

/** Cities by letter, letters and cities both in order of pinyin. */
export function byLetter(cities: readonly City[]): CityGroup[] {
  const groups = new Map<string, City[]>();
  for (const city of [...cities].sort((a, b) => a.pinyin.localeCompare(b.pinyin, 'en'))) {
    const letter = letterOf(city);
    const group = groups.get(letter);
    if (group) group.push(city);
    else groups.set(letter, [city]);
  }
  return [...groups]
    .map(([letter, members]) => ({ letter, cities: members }))
    .sort((a, b) => (a.letter === '#' ? 1 : b.letter === '#' ? -1 : a.letter.localeCompare(b.letter, 'en')));
}
