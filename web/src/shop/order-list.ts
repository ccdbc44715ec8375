import { infiniteQueryOptions } from '@tanstack/react-query';
import { type CallOptions, post, token } from '../wire/client';
import { Orders } from '../wire/generated/Orders';
import { storeTickets } from './stored-tickets';

/** 0 is all orders, 1 pending payment, 2 to use, 3 completed. */
export type OrderTab = 0 | 1 | 2 | 3;

/** The page size that requests all orders. The server sends fewer on one page, and the total number with them. */
const pageSize = 1_000_000;

interface ListOptions extends CallOptions {
  pagesize?: number;
}

/** Loads one page of the customer's orders of tickets and goods, and stores its tickets. Pages count from 1. */
export async function listOrders(
  type: OrderTab,
  pageno: number,
  { pagesize = pageSize, ...options }: ListOptions = {},
): Promise<Orders> {
  const page = await post('/Dyorder/order', { ...token(), type, pageno, pagesize }, Orders, options);
  storeTickets(page.list.filter((order) => order.ord_bs === 1));
  return page;
}

export function ordersQuery(tab: OrderTab) {
  return infiniteQueryOptions({
    queryKey: ['orders', tab],
    queryFn: ({ pageParam, signal }) => listOrders(tab, pageParam, { signal }),
    initialPageParam: 1,
    // An order may have just been paid or cancelled elsewhere.
    refetchOnWindowFocus: 'always',
    getNextPageParam: (last, pages, page) => {
      const loaded = pages.reduce((sum, { list }) => sum + list.length, 0);
      return last.list.length > 0 && loaded < last.total ? page + 1 : undefined;
    },
  });
}
