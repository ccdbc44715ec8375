import type { Film } from '../wire/generated/Film';
import { deviceList } from './device-list';

const wishes = deviceList('wishes', 200);

type Marked = Pick<Film, 'movieId' | 'movieCode'>;

/** The keys of the films that the customer wants to see, the latest first. */
export const useWishes = wishes.useIds;

/**
 * The keys under which a film may be stored. One is its code, which is the same at both sources. The other is its id:
 * earlier releases stored it for all films, and it is still stored for films without a code.
 */
function marksOf({ movieId, movieCode }: Marked): string[] {
  return movieCode === '' ? [movieId] : [`code:${movieCode}`, movieId];
}

/** Reports whether `marks` contains a film. */
export function isMarked(marks: readonly string[], film: Marked): boolean {
  return marksOf(film).some((mark) => marks.includes(mark));
}

/**
 * Whether the customer wants to see a film, and a function that changes it. The latest 200 films are stored on this
 * phone, because the shop has no call for it.
 */
export function useWish(film: Marked): [wished: boolean, toggle: () => void] {
  const noted = wishes.useIds();
  const toggle = () => {
    const [mark = film.movieId, ...others] = marksOf(film);
    const present = [mark, ...others].filter((each) => noted.includes(each));
    for (const each of present.length > 0 ? present : [mark]) wishes.toggle(each);
  };
  return [isMarked(noted, film), toggle];
}
