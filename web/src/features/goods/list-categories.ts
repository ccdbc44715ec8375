import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain } from '../../wire/client';
import { Category } from './goods';

const Categories = v.object({ list: v.array(Category) });

export function listCategories(signal?: AbortSignal) {
  return postMain('/Kaquan/classify', {}, Categories, { signal });
}

export const categoriesQuery = queryOptions({
  queryKey: ['goods-categories'],
  queryFn: ({ signal }) => listCategories(signal),
  select: (answer) => answer.list,
  staleTime: 10 * 60_000,
});
