import { queryOptions } from '@tanstack/react-query';
import { postMain } from '../../wire/client';
import * as z from '../../wire/shape';
import { Category } from './goods';

const Categories = z.object({ list: z.array(Category) });

export function listCategories(signal?: AbortSignal) {
  return postMain('/Kaquan/classify', {}, Categories, { signal });
}

export const categoriesQuery = queryOptions({
  queryKey: ['goods-categories'],
  queryFn: ({ signal }) => listCategories(signal),
  select: (answer) => answer.list,
  staleTime: 10 * 60_000,
});
