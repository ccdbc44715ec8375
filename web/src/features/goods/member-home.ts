import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { Banner } from '../../shop/page-content';
import { postMain } from '../../wire/client';
import { list } from '../../wire/fields';
import { Category, Goods } from './goods';

const Home = v.object({
  classify: list(Category),
  lbt: list(Banner),
  yinyue: list(Goods),
  yuedu: list(Goods),
  qita: list(Goods),
});

/** Fetches the member home: categories, banners and the first goods of each shelf. */
export function memberHome(signal?: AbortSignal) {
  return postMain('/Kaquan/index', {}, Home, { signal });
}

export const memberHomeQuery = queryOptions({
  queryKey: ['member-home'],
  queryFn: ({ signal }) => memberHome(signal),
  staleTime: 5 * 60_000,
});
