import { queryOptions } from '@tanstack/react-query';
import { callGateway } from '../../wire/client';
import type { City } from '../../wire/generated/City';
import { GatewayDramas } from '../../wire/generated/GatewayDramas';

/** Loads the first 25 stage shows of the country, those of the city first. A failure shows no message. */
export function listDramas(cityid: string, signal?: AbortSignal) {
  return callGateway('drama.list', { cityid, pageNo: 1, pageSize: 25 }, GatewayDramas, { signal, quiet: true });
}

/**
 * The query for the stage shows in a city. It selects them from the loaded list, which also contains those of other
 * cities.
 */
export function dramasQuery({ cityid1, name }: Pick<City, 'cityid1' | 'name'>) {
  return queryOptions({
    queryKey: ['dramas', cityid1],
    queryFn: ({ signal }) => listDramas(cityid1, signal),
    select: (page) => page.projectList.filter((drama) => bareName(drama.city) === bareName(name)),
    staleTime: 10 * 60_000,
    refetchOnWindowFocus: true,
  });
}

function bareName(city: string): string {
  return city.replace(/市$/, '');
}
