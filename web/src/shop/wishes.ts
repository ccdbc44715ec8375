import { deviceList } from './device-list';

const wishes = deviceList('wishes', 200);

/** A film that can be noted. */
interface Wishable {
  movieId: string;
  movieCode: string;
}

/** What a film is noted by: its code, because the ids of the two sources differ, or its id if it has no code. */
export const wishKey = ({ movieId, movieCode }: Wishable) => movieCode || movieId;

/** The keys of the films that the customer wants to see, the latest first. */
export const useWishes = wishes.useIds;

/**
 * Whether the customer wants to see a film, and a function that changes it. The films are noted on this phone, the
 * latest 200 of them, because the shop has no call for it.
 */
export function useWish(film: Wishable): [wished: boolean, toggle: () => void] {
  const key = wishKey(film);
  return [wishes.useIds().includes(key), () => wishes.toggle(key)];
}
