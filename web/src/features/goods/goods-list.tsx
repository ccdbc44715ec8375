import './goods.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { List } from '../../ui/list';
import { PullRefresh } from '../../ui/pull-refresh';
import { ListSkeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import type { Goods } from '../../wire/generated/Goods';
import { isSoldOut } from './goods';
import { GoodsRow } from './goods-row';
import { goodsQuery, type Shelf } from './list-goods';
import { OtherGoods } from './other-goods';

interface GoodsListProps {
  shelf: Shelf;
  /** The text if there are no goods. */
  none: string;
}

/**
 * All goods of a list, loaded page by page. Sold-out goods are last. If the list is short, other goods of the member
 * area follow.
 */
export function GoodsList({ shelf, none }: GoodsListProps) {
  const navigate = useNavigate();
  const goods = useInfiniteQuery(goodsQuery(shelf));
  const rows = goods.data?.pages.flatMap((page) => page.list) ?? [];
  if (goods.isPending) return <ListSkeleton height={112} picture="square" />;
  if (goods.isError && rows.length === 0) {
    return <ErrorState message={customerMessage(goods.error)} onRetry={() => goods.refetch()} />;
  }
  if (rows.length === 0) {
    return (
      <Empty text={none}>
        <Button kind="primary" onClick={() => navigate(paths.members())}>
          看看其他商品
        </Button>
      </Empty>
    );
  }
  const available = rows.filter((one) => !isSoldOut(one));
  const soldOut = rows.filter(isSoldOut);
  return (
    <PullRefresh onRefresh={() => goods.refetch()}>
      <List
        more={goods.hasNextPage}
        loading={goods.isFetchingNextPage}
        error={goods.isFetchNextPageError ? '加载失败' : undefined}
        onMore={() => goods.fetchNextPage()}
        count={available.length}
      >
        <Rows goods={available} />
        {!goods.hasNextPage && <Rows goods={soldOut} />}
      </List>
      {!goods.hasNextPage && (
        <div className="mq-page">
          <OtherGoods shown={rows} />
        </div>
      )}
    </PullRefresh>
  );
}

function Rows({ goods }: { goods: readonly Goods[] }) {
  if (goods.length === 0) return null;
  return (
    <ul className="mq-column mq-page-list mq-gap-12">
      {goods.map((one) => (
        <li key={one.id}>
          <GoodsRow goods={one} />
        </li>
      ))}
    </ul>
  );
}
