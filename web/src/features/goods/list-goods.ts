import { infiniteQueryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { GoodsPage } from '../../wire/generated/GoodsPage';

/**
 * A list of goods in the member area (会员福利): those of a category, those that recharge an account, or a section of
 * memberships.
 */
export type Shelf =
  | { kind: 'category'; fid: string }
  | { kind: 'recharge' }
  | { kind: 'music' }
  /** 1: reading and education; 2: network tools. */
  | { kind: 'reading'; flag: 1 | 2 };

const pageSize = 100;
const readingPageSize = 500;

export function listGoods(shelf: Shelf, pageno: number, signal?: AbortSignal) {
  const [path, fields] = requestFor(shelf);
  return post(`/Kaquan/${path}`, { ...fields, pageno }, GoodsPage, { signal });
}

function requestFor(shelf: Shelf): [path: 'lists' | 'music' | 'read', fields: Record<string, string | number>] {
  switch (shelf.kind) {
    case 'category':
      return ['lists', { fid: shelf.fid, flag: 0, pagesize: pageSize }];
    case 'recharge':
      return ['lists', { flag: 2, pagesize: pageSize }];
    case 'music':
      return ['music', { pagesize: pageSize }];
    case 'reading':
      return ['read', { flag: shelf.flag, pagesize: readingPageSize }];
  }
}

export function goodsQuery(shelf: Shelf) {
  return infiniteQueryOptions({
    queryKey: ['goods-list', shelf],
    queryFn: ({ pageParam, signal }) => listGoods(shelf, pageParam, signal),
    initialPageParam: 1,
    // The shop limits the page size and returns the total number.
    getNextPageParam: (last, pages, page) => {
      const loaded = pages.reduce((sum, { list }) => sum + list.length, 0);
      return last.list.length > 0 && loaded < last.total ? page + 1 : undefined;
    },
    staleTime: 60_000,
  });
}
