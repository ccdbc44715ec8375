import { cityLabel } from '../../shop/city';
import type { City } from '../../wire/generated/City';

/** The letter under which a city is listed: the first letter of its pinyin, or # if it has none. */
function letterOf(city: City): string {
  const letter = city.pinyin.charAt(0).toUpperCase();
  return /[A-Z]/.test(letter) ? letter : '#';
}

/** The four first-tier cities, in the usual order. */
const largest = ['北京', '上海', '广州', '深圳'];

/** Returns the hot cities with the four first-tier cities first. The others keep their order. */
export function largestFirst(cities: readonly City[]): City[] {
  const rank = ({ name }: City) => {
    const place = largest.indexOf(cityLabel(name));
    return place < 0 ? largest.length : place;
  };
  return [...cities].sort((a, b) => rank(a) - rank(b));
}

export interface CityGroup {
  letter: string;
  cities: City[];
}

/** Groups cities by the first letter of their pinyin. Letters and cities are sorted; # is last. */
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
