import { deviceList } from './device-list';

const wishes = deviceList('wishes', 200);

/** The ids of the films that the customer wants to see, the latest first. */
export const useWishes = wishes.useIds;

/**
 * Whether the customer wants to see a film, and a function that changes it. The films are noted on this phone, the
 * latest 200 of them, because the shop has no call for it.
 */
export function useWish(movieId: string): [wished: boolean, toggle: () => void] {
  return [wishes.useIds().includes(movieId), () => wishes.toggle(movieId)];
}
