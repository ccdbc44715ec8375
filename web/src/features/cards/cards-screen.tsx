import './cards.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { type Card, isFrozen, pointsOf, typeName } from '../../shop/card';
import { type CardFilter, cardsQuery } from '../../shop/card-list';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
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

const filters: { key: CardFilter; title: string }[] = [
  { key: 1, title: '可用' },
  { key: 2, title: '即将过期' },
  { key: 3, title: '点数升序' },
  { key: 4, title: '点数降序' },
];

/** The customer's welfare cards in three tabs: usable cards, unusable cards, and merging. */
export default function CardsScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query, setQuery] = useSearchParams();
  const tab = { 1: 1, 2: 2 }[query.get('active') ?? ''] ?? 0;
  const [place, setFilter] = usePlace('filter');
  const filter = filters.find(({ key }) => String(key) === place)?.key ?? 1;
  const { data: usable } = useQuery({ ...cardsQuery(1), enabled: tab === 0 });

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
        {tab === 0 && usable?.length === 0 ? (
          <Cards which={1} />
        ) : tab === 0 ? (
          <Tabs items={filters} active={filter} onChange={(key) => setFilter(String(key))} label="筛选" look="chips">
            <Cards which={filter} />
          </Tabs>
        ) : tab === 1 ? (
          <Cards which="unusable" />
        ) : (
          <MergePanel />
        )}
      </Tabs>
    </>
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

function Cards({ which }: { which: CardFilter | 'unusable' }) {
  const navigate = useNavigate();
  const cards = useQuery(cardsQuery(which));
  if (cards.isPending) {
    return (
      <Skeleton className="mq-column card-list">
        {[1, 2, 3, 4, 5].map((card) => (
          <Bone key={card} height={100} radius={14} />
        ))}
      </Skeleton>
    );
  }
  if (!cards.data)
    return <ErrorState message={customerMessage(cards.error) ?? '请先登录'} onRetry={() => cards.refetch()} />;
  if (cards.data.length === 0) {
    return (
      <Empty text={which === 1 ? '暂无可用的福利卡' : which === 2 ? '没有即将过期的福利卡' : '暂无福利卡'}>
        <Button kind="primary" onClick={() => navigate(paths.bindCard())}>
          绑定福利卡
        </Button>
      </Empty>
    );
  }
  return (
    <>
      {which === 'unusable' ? (
        <p className="card-sum">
          {cards.data.every(isFrozen)
            ? '已冻结的卡请联系客服'
            : `点击卡片充值，充值后恢复可用${cards.data.some(isFrozen) ? '；已冻结的卡请联系客服' : ''}`}
        </p>
      ) : (
        <p className="card-sum">
          {which === 2 ? '即将过期' : '可用'} {cards.data.length} 张
          <span>
            合计 <Price amount={pointsOf(cards.data)} unit="points" size="small" />
          </span>
        </p>
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
