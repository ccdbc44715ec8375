import type { QueryClient } from '@tanstack/react-query';
import type { Cinema } from '../../wire/generated/Cinema';
import type { CinemaList } from '../../wire/generated/CinemaList';
import { knownId } from './known-cinemas';

/** Whether the cinema belongs to the legacy source. */
export function isLegacy(cinema: Pick<Cinema, 'flag'>): boolean {
  return cinema.flag === 1;
}

/** The id of the cinema at its source. */
export function cinemaId(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.cinemaid1 : cinema.cinemaid2;
}

/**
 * The name of a cinema, which is in `name` for the legacy source and in `name1` for newmovie. Likewise for the address.
 */
export function cinemaName(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.name : cinema.name1;
}

export function cinemaAddress(cinema: Cinema): string {
  return isLegacy(cinema) ? cinema.address : cinema.address1;
}

/**
 * The name and address of a cinema from a list in the query cache, to show them before the page has loaded; undefined
 * if no cached list contains the cinema.
 */
export function listedCinema(
  client: QueryClient,
  source: 'legacy' | 'new',
  id: string,
): { name: string; address: string } | undefined {
  const found = client
    .getQueriesData<CinemaList>({ queryKey: ['cinemas'] })
    .flatMap(([, list]) => list?.yingyuan ?? [])
    .find((cinema) => isLegacy(cinema) === (source === 'legacy') && cinemaId(cinema) === id);
  return found && { name: cinemaName(found), address: cinemaAddress(found) };
}

/** The id of a listed cinema in the lists of known cinemas. */
export function cinemaKey(cinema: Cinema): string {
  return knownId(isLegacy(cinema) ? 'legacy' : 'new', cinemaId(cinema));
}
