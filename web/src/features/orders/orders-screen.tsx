import './orders.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isDelivering } from '../../shop/card-order';
import { type OrderTab, ordersQuery } from '../../shop/order-list';
import { paths } from '../../shop/paths';
import { isWithoutNetwork, StoredTicketList } from '../../shop/stored-ticket-list';
import { storedTickets } from '../../shop/stored-tickets';
import { isIssuing } from '../../shop/ticket-order';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { List } from '../../ui/list';
import { NavBar } from '../../ui/nav-bar';
import { PullRefresh } from '../../ui/pull-refresh';
import { ListSkeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { customerMessage } from '../../wire/api-error';
import type { Orders } from '../../wire/generated/Orders';
import { CardOrderRow } from './card-order-row';
import { TicketOrderRow } from './ticket-order-row';

const tabs: { key: OrderTab; name: string; count: keyof Orders['counts'] }[] = [
  { key: 0, name: '全部', count: 'all' },
  { key: 1, name: '待付款', count: 'pending' },
  { key: 2, name: '待使用', count: 'to_use' },
  { key: 3, name: '已完成', count: 'completed' },
];

/**
 * The filters by kind of order; `key` is the query value `kind`. The first one is not called 全部, because that is the
 * name of the first tab.
 */
const kinds = [
  { key: '', title: '不限' },
  { key: 'tickets', title: '电影票' },
  { key: 'goods', title: '会员福利' },
] as const;

function isOfKind(order: Orders['list'][number], kind: string): boolean {
  return kind === '' || (order.ord_bs === 1) === (kind === 'tickets');
}

/** The text of a tab without orders, by the key of the tab. */
const emptyTexts = ['暂无订单', '没有待付款的订单', '没有待使用的订单', '没有已完成的订单'];

/** Milliseconds between two loads of the list while an order is in progress. */
const pollInterval = 3000;

/** Whether tickets are being issued or goods are being delivered. */
function isInProgress(order: Orders['list'][number]): boolean {
  return order.ord_bs === 1 ? isIssuing(order) : isDelivering(order);
}

function tabOf(value: string): OrderTab {
  const tab = Number(value);
  return tab === 1 || tab === 2 || tab === 3 ? tab : 0;
}

/** The customer's orders: all, pending payment, to use, completed. */
export default function OrdersScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [place, setPlace] = usePlace('tabIndex');
  const tab = tabOf(place);
  const [wanted, setKind] = usePlace('kind');
  const kind = kinds.find(({ key }) => key === wanted) ?? kinds[0];
  const orders = useInfiniteQuery({
    ...ordersQuery(tab),
    // The list is polled while one of its orders is in progress.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ list }) => list.some(isInProgress)) ? pollInterval : false,
  });
  // Stored tickets are not shown on the tab of unpaid orders, which have no tickets.
  const stored = tab !== 1 && isWithoutNetwork(orders) ? storedTickets() : [];
  const counts = orders.data?.pages[0]?.counts;
  const rows = orders.data?.pages.flatMap((page) => page.list) ?? [];
  const shown = rows.filter((order) => isOfKind(order, kind.key));
  const mixed = kind.key !== '' || new Set(rows.map(({ ord_bs }) => ord_bs)).size > 1;
  const list =
    shown.length === 0 && !orders.hasNextPage ? (
      <Empty text={`没有${kind.title}订单`}>
        <Button onClick={() => setKind('')}>查看全部订单</Button>
      </Empty>
    ) : (
      <List
        more={orders.hasNextPage}
        loading={orders.isFetchingNextPage}
        error={orders.isFetchNextPageError ? '加载失败' : undefined}
        onMore={() => orders.fetchNextPage()}
        count={shown.length}
      >
        <ul className="mq-column mq-page-list mq-gap-12">
          {shown.map((order) => (
            <li key={order.id}>
              {order.ord_bs === 1 ? (
                <TicketOrderRow
                  order={order}
                  payPath={paths.pay(order.id, { new: order.type === 2 ? '1' : undefined })}
                />
              ) : (
                <CardOrderRow order={order} />
              )}
            </li>
          ))}
        </ul>
      </List>
    );

  return (
    <>
      <NavBar title="我的订单" onBack={back} />
      <Tabs
        items={tabs.map(({ key, name, count }) => ({
          key,
          title: (
            <>
              {name}
              {counts && (key === 1 || key === 2) && counts[count] > 0 && (
                <>
                  {' '}
                  <span className="order-tab__count mq-badge">{counts[count] > 99 ? '99+' : counts[count]}</span>
                </>
              )}
            </>
          ),
        }))}
        active={tab}
        onChange={(key) => setPlace(String(key))}
        label="订单状态"
        fill
        sticky
      >
        {stored.length > 0 ? (
          <StoredTicketList tickets={stored} onRetry={() => orders.refetch()} />
        ) : orders.isPending ? (
          <ListSkeleton height={200} picture="poster" />
        ) : orders.isError && rows.length === 0 ? (
          <ErrorState message={customerMessage(orders.error) ?? '请先登录'} onRetry={() => orders.refetch()} />
        ) : rows.length === 0 ? (
          <Empty text={emptyTexts[tab] ?? ''}>
            <Button kind="primary" onClick={() => navigate(paths.home())}>
              去看看热映影片
            </Button>
          </Empty>
        ) : (
          <PullRefresh onRefresh={() => orders.refetch()}>
            {mixed ? (
              <Tabs items={kinds} active={kind.key} onChange={setKind} label="订单类型" look="chips">
                {list}
              </Tabs>
            ) : (
              list
            )}
          </PullRefresh>
        )}
      </Tabs>
    </>
  );
}
