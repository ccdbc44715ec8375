import './cards.css';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { type Card, isFrozen, pointsOf, typeName } from '../../shop/card';
import { type CardFilter, cardsQuery } from '../../shop/card-list';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon, type IconName } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { Price } from '../../ui/price';
import { Bone, Skeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { customerMessage } from '../../wire/api-error';
import { MergePanel } from './merge-panel';
import { WelfareCard } from './welfare-card';

const tabs = [
  { key: 0, title: '可使用' },
  { key: 1, title: '不可用' },
  { key: 2, title: '卡合并' },
] as const;

const filters = [
  { key: 1, title: '全部' },
  { key: 2, title: '即将过期' },
] as const;

/** The orders of the usable cards, named as the one in force; a tap on one leads to the next. */
const orders: Record<Exclude<CardFilter, 2>, { title: string; icon: IconName; next: CardFilter }> = {
  1: { title: '到期优先', icon: 'down', next: 4 },
  4: { title: '点数降序', icon: 'down', next: 3 },
  3: { title: '点数升序', icon: 'up', next: 1 },
};

/** The customer's welfare cards in three tabs: usable cards, unusable cards, and merging. */
export default function CardsScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query, setQuery] = useSearchParams();
  const tab = { 1: 1, 2: 2 }[query.get('active') ?? ''] ?? 0;

  return (
    <>
      <NavBar
        title="我的福利卡"
        onBack={back}
        right={
          <Button kind="text" size="small" onClick={() => navigate(paths.bindCard())}>
            绑定
          </Button>
        }
      />
      <Tabs
        items={tabs}
        active={tab}
        onChange={(key) => {
          query.set('active', String(key));
          setQuery(query, { replace: true });
        }}
        label="福利卡"
        fill
        sticky
      >
        {tab === 0 ? <UsableCards /> : tab === 1 ? <Cards which="unusable" /> : <MergePanel />}
      </Tabs>
    </>
  );
}

/** The usable cards with their filters, which exist once there is a card to filter. */
function UsableCards() {
  const [place, setFilter] = usePlace('filter');
  const filter = ([2, 3, 4] as const).find((key) => String(key) === place) ?? 1;
  const usable = useQuery(cardsQuery(1));
  if (usable.isPending) return <CardsSkeleton filters />;
  if (!usable.data) return <CardsFailed cards={usable} />;
  if (usable.data.length === 0) return <NoCards text="暂无可用的福利卡" />;
  return (
    <Tabs
      items={filters}
      active={filter === 2 ? 2 : 1}
      onChange={(key) => setFilter(String(key))}
      label="筛选"
      look="chips"
    >
      <Cards which={filter}>
        {filter !== 2 && (
          <button type="button" className="card-order" onClick={() => setFilter(String(orders[filter].next))}>
            {orders[filter].title}
            <Icon name={orders[filter].icon} />
          </button>
        )}
      </Cards>
    </Tabs>
  );
}

function CardsFailed({ cards }: { cards: UseQueryResult<unknown> }) {
  return <ErrorState message={customerMessage(cards.error) ?? '请先登录'} onRetry={() => cards.refetch()} />;
}

function NoCards({ text }: { text: string }) {
  const navigate = useNavigate();
  return (
    <Empty text={text}>
      <Button kind="primary" onClick={() => navigate(paths.bindCard())}>
        绑定福利卡
      </Button>
    </Empty>
  );
}

/** The place of the cards while they load, and of their filters if these are not there yet. */
function CardsSkeleton({ filters: withFilters }: { filters?: boolean }) {
  return (
    <Skeleton className="cards-loading">
      {withFilters && (
        <div className="cards-loading__filters">
          <Bone width={58} height={44} radius={22} />
          <Bone width={86} height={44} radius={22} />
        </div>
      )}
      <div className="card-sum">
        <Bone width={132} height={54} radius={8} />
      </div>
      <div className="mq-column card-list">
        {[1, 2, 3, 4, 5].map((card) => (
          <div key={card} className="cards-loading__card">
            <Bone width="32%" height={22} />
            <Bone width="22%" height={22} />
            <Bone width="48%" height={16} />
            <Bone width="30%" height={16} />
          </div>
        ))}
      </div>
    </Skeleton>
  );
}

/**
 * The address of a card's page. It carries the known fields, so that the page can show them before the shop answers.
 */
function cardPath(card: Card): string {
  return paths.card({
    id: card.pid,
    cardid: card.id,
    cardName: card.name || typeName(card.pid),
    data: JSON.stringify(card),
  });
}

interface CardsProps {
  which: CardFilter | 'unusable';
  /** What stands beside the sum of the cards. */
  children?: ReactNode;
}

function Cards({ which, children }: CardsProps) {
  const cards = useQuery(cardsQuery(which));
  if (cards.isPending) return <CardsSkeleton />;
  if (!cards.data) return <CardsFailed cards={cards} />;
  if (cards.data.length === 0) return <NoCards text={which === 2 ? '没有即将过期的福利卡' : '暂无福利卡'} />;
  return (
    <>
      {which === 'unusable' ? (
        <p className="card-hint">
          {cards.data.every(isFrozen)
            ? '已冻结的卡请联系客服'
            : `点击卡片充值，充值后恢复可用${cards.data.some(isFrozen) ? '；已冻结的卡请联系客服' : ''}`}
        </p>
      ) : (
        <header className="card-sum">
          <p>
            {which === 2 ? '即将过期' : '可用'} {cards.data.length} 张，合计
            <Price amount={pointsOf(cards.data)} unit="points" size="large" />
          </p>
          {children}
        </header>
      )}
      <ul className="mq-column card-list">
        {cards.data.map((card) => (
          <li key={card.id}>
            <Link className="card-link" to={cardPath(card)}>
              <WelfareCard card={card} low />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
