import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { Categories } from '../../wire/generated/Categories';

export function listCategories(signal?: AbortSignal) {
  return post('/Kaquan/classify', {}, Categories, { signal });
}

export const categoriesQuery = queryOptions({
  queryKey: ['goods-categories'],
  queryFn: ({ signal }) => listCategories(signal),
  select: (answer) => answer.list,
  staleTime: 10 * 60_000,
});
