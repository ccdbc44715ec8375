import { queryOptions } from '@tanstack/react-query';
import { CityList } from '../../shop/city';
import { postMovie } from '../../wire/client';

/** Every city; with a keyword those whose name or pinyin matches. */
export function listCities(keyword = '', signal?: AbortSignal) {
  return postMovie('citylist', { keyword }, CityList, { signal });
}

export const citiesQuery = queryOptions({
  queryKey: ['cities'],
  queryFn: ({ signal }) => listCities('', signal),
  select: (answer) => answer.list,
  staleTime: 60 * 60_000,
});
