import { deviceList } from '../../shop/device-list';

/** The customer's favorite cinemas and the last opened ones, on this phone. */
const favourites = deviceList('favourite-cinemas', 50);
const visited = deviceList('visited-cinemas', 10);

/**
 * The id of a cinema in both lists. It contains the source, because two cinemas of different sources may have the same
 * id.
 */
export function knownId(source: 'legacy' | 'new', id: string): string {
  return `${source} ${id}`;
}

/** Whether a cinema is a favorite, and a function that changes it. */
export function useFavourite(id: string): [favourite: boolean, toggle: () => void] {
  return [favourites.useIds().includes(id), () => favourites.toggle(id)];
}

/** Stores that the customer has opened the page of a cinema. */
export function noteVisit(id: string): void {
  visited.add(id);
}

/**
 * Returns a function that returns the label of a cinema in the list: 收藏 for a favorite, 浏览过 for one whose page was
 * opened before; undefined for others.
 */
export function useKnownCinemas(): (id: string) => '收藏' | '浏览过' | undefined {
  const marked = favourites.useIds();
  const opened = visited.useIds();
  return (id) => (marked.includes(id) ? '收藏' : opened.includes(id) ? '浏览过' : undefined);
}
