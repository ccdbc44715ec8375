import { deviceList } from '../../shop/device-list';

/** The customer's favourite cinemas and the last opened ones, on this phone. */
const favourites = deviceList('favourite-cinemas', 50);
const visited = deviceList('visited-cinemas', 10);

/** The id of a cinema in these lists. Both sources may use the same ids. */
export function knownId(source: 'legacy' | 'new', id: string): string {
  return `${source} ${id}`;
}

/** Whether a cinema is a favourite, and a function that changes it. */
export function useFavourite(id: string): [favourite: boolean, toggle: () => void] {
  return [favourites.useIds().includes(id), () => favourites.toggle(id)];
}

/** Notes that a cinema was opened. */
export function noteVisit(id: string): void {
  visited.add(id);
}

/** Returns a function that says whether a cinema is a favourite or was visited; undefined if neither. */
export function useKnownCinemas(): (id: string) => '收藏' | '浏览过' | undefined {
  const marked = favourites.useIds();
  const opened = visited.useIds();
  return (id) => (marked.includes(id) ? '收藏' : opened.includes(id) ? '浏览过' : undefined);
}
