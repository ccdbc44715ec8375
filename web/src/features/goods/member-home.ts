import { queryOptions } from '@tanstack/react-query';
import { postMain } from '../../api/client';
import { list } from '../../api/fields';
import { Banner } from '../../api/page-content';
import * as z from '../../api/shape';
import { Category, Goods } from './goods';

const Home = z.object({
  classify: list(Category),
  lbt: list(Banner),
  yinyue: list(Goods),
  yuedu: list(Goods),
  qita: list(Goods),
});

/** What the member home shows: categories, banners, and the first goods of each shelf. */
export function memberHome(signal?: AbortSignal) {
  return postMain('/Kaquan/index', {}, Home, { signal });
}

export const memberHomeQuery = queryOptions({
  queryKey: ['member-home'],
  queryFn: ({ signal }) => memberHome(signal),
  staleTime: 5 * 60_000,
});
