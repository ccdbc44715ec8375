import './cards.css';
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { isFrozen, otherPoints, paysTickets, pointsOf } from '../../shop/card';
import { type CardFilter, cardsQuery } from '../../shop/card-list';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon, type IconName } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { Price } from '../../ui/price';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { customerMessage } from '../../wire/api-error';
import type { Card } from '../../wire/generated/Card';
import { MergePanel } from './merge-panel';
import { WelfareCard } from './welfare-card';

const tabs = [
  { key: 0, title: '可使用' },
  { key: 1, title: '不可用' },
  { key: 2, title: '卡合并' },
] as const;

const filters = [
  { key: '', title: '全部' },
  { key: '1', title: '即将过期' },
] as const;

/**
 * The sort orders of the usable cards. `title` is the text of the button while the order is active; a tap switches to
 * `next`.
 */
const orders: Record<Exclude<CardFilter, 2>, { title: string; icon: IconName; next: CardFilter }> = {
  1: { title: '到期优先', icon: 'down', next: 4 },
  4: { title: '点数降序', icon: 'down', next: 3 },
  3: { title: '点数升序', icon: 'up', next: 1 },
};

/** The customer's welfare cards in three tabs: usable cards, unusable cards, and merging. */
export default function CardsScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const queries = useQueryClient();
  const [place, setPlace] = usePlace('active');
  const tab = { 1: 1, 2: 2 }[place] ?? 0;

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
      <Tabs items={tabs} active={tab} onChange={(key) => setPlace(String(key))} label="福利卡" fill sticky>
        {tab === 2 ? (
          <MergePanel />
        ) : (
          <PullRefresh onRefresh={() => queries.refetchQueries({ type: 'active', queryKey: ['cards'] })}>
            {tab === 0 ? <UsableCards /> : <UnusableCards />}
          </PullRefresh>
        )}
      </Tabs>
    </>
  );
}

/**
 * The usable cards, with filters if there are cards. In the address, `filter` is the sort order, and `ending` is set
 * while only the cards that expire soon are shown. They are two values, so that the sort order is the same again after
 * all cards are shown.
 */
function UsableCards() {
  const [place, setOrder] = usePlace('filter');
  const [ending, setEnding] = usePlace('ending');
  const order = ([3, 4] as const).find((key) => String(key) === place) ?? 1;
  // The cards stay visible while they load in another order, and the button keeps its focus.
  const cards = useQuery({ ...cardsQuery(order), enabled: ending === '', placeholderData: keepPreviousData });
  if (ending === '') {
    if (cards.isPending) return <ListSkeleton height={100} head={<Bone height={150} radius={12} />} />;
    if (!cards.data) return <CardsFailed cards={cards} />;
    if (cards.data.length === 0) return <NoCards text="暂无可用的福利卡" />;
  }
  return (
    <Tabs items={filters} active={ending === '' ? '' : '1'} onChange={setEnding} label="筛选" look="chips">
      {ending === '' && cards.data ? (
        <>
          <UsableSum cards={cards.data}>
            <button
              type="button"
              className="card-order mq-row mq-touch mq-gap-4 mq-ink mq-text-13"
              onClick={() => setOrder(String(orders[order].next))}
            >
              {orders[order].title}
              <Icon name={orders[order].icon} />
            </button>
          </UsableSum>
          <CardLinks cards={cards.data} />
        </>
      ) : (
        <ExpiringCards />
      )}
    </Tabs>
  );
}

function ExpiringCards() {
  const cards = useQuery(cardsQuery(2));
  if (cards.isPending) return <ListSkeleton height={100} head={<Bone height={86} radius={12} />} />;
  if (!cards.data) return <CardsFailed cards={cards} />;
  if (cards.data.length === 0) return <NoCards text="没有即将过期的福利卡" />;
  return (
    <>
      <header className="card-sum mq-flex mq-wrap mq-between mq-px-16 mq-py-12">
        <p className="mq-grid mq-note">
          即将过期 {cards.data.length} 张，合计
          <Price amount={pointsOf(cards.data)} unit="points" size="large" />
        </p>
      </header>
      <CardLinks cards={cards.data} />
    </>
  );
}

/** The cards that cannot be used, and what can be done about it. */
function UnusableCards() {
  const cards = useQuery(cardsQuery('unusable'));
  if (cards.isPending) return <ListSkeleton height={100} head={<Bone height={24} />} />;
  if (!cards.data) return <CardsFailed cards={cards} />;
  if (cards.data.length === 0) return <NoCards text="暂无福利卡" />;
  return (
    <>
      <p className="card-hint mq-note">
        {cards.data.every(isFrozen)
          ? '已冻结的卡请联系客服'
          : `点击卡片充值，充值后恢复可用${cards.data.some(isFrozen) ? '；已冻结的卡请联系客服' : ''}`}
      </p>
      <CardLinks cards={cards.data} />
    </>
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

/**
 * The address of a card's page. It contains the fields of the card, so that the page can show them before the shop
 * answers.
 */
function cardPath(card: Card): string {
  return paths.card({
    id: card.pid,
    cardid: card.id,
    cardName: card.name,
    data: JSON.stringify(card),
  });
}

interface UsableSumProps {
  cards: readonly Card[];
  /** The content next to the sum. */
  children: ReactNode;
}

/** The points of the usable cards for tickets, and separately those for other things. */
function UsableSum({ cards, children }: UsableSumProps) {
  const others = cards.filter((card) => !paysTickets(card));
  return (
    <header className="card-sum mq-flex mq-wrap mq-between mq-px-16 mq-py-12">
      <p className="mq-grid mq-note">
        可用 {cards.length} 张，购票可用
        <Price amount={pointsOf(cards.filter(paysTickets))} unit="points" size="large" />
        {others.length > 0 && <small>另有 {otherPoints(others)}</small>}
      </p>
      {children}
    </header>
  );
}

function CardLinks({ cards }: { cards: readonly Card[] }) {
  return (
    <ul className="mq-column mq-gap-10 mq-page">
      {cards.map((card) => (
        <li key={card.id}>
          <Link className="card-link" to={cardPath(card)}>
            <WelfareCard card={card} low />
          </Link>
        </li>
      ))}
    </ul>
  );
}
