import './records.css';
import '../../ui/tone.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { paths } from '../../shop/paths';
import { dateTimeText } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { List } from '../../ui/list';
import { NavBar } from '../../ui/nav-bar';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import type { CardRecord } from '../../wire/generated/CardRecord';
import { type RecordKind, recordIcon, recordName, recordsQuery, signedPoints, signedSum } from './list-records';

/** The number of rows that are added when the end of the list is near the viewport. */
const growth = 10;

interface RecordsPageProps {
  kind: RecordKind;
  title: string;
  /** The text of an empty list. */
  nothing: string;
}

/** The page of a card's records, newest first, grouped by month. */
export function RecordsPage({ kind, title, nothing }: RecordsPageProps) {
  const navigate = useNavigate();
  const back = useBack();
  const [query] = useSearchParams();
  const cardId = query.get('cardId') ?? '';
  const records = useInfiniteQuery(recordsQuery(kind, cardId));
  const [room, setRoom] = useState(growth);
  const rows = records.data?.pages.flatMap((page) => page.list) ?? [];

  function grow() {
    setRoom(room + growth);
    if (room + growth > rows.length && records.hasNextPage) void records.fetchNextPage();
  }

  return (
    <>
      <NavBar title={title} onBack={back} />
      {cardId === '' ? (
        <Empty text="未找到这张卡">
          <Button kind="primary" onClick={() => navigate(paths.cards(), { replace: true })}>
            查看我的福利卡
          </Button>
        </Empty>
      ) : records.isPending ? (
        <ListSkeleton height={64} picture="square" look="box" head={<Bone width="5em" height={24} />} />
      ) : !records.data ? (
        <ErrorState message={customerMessage(records.error) ?? '请先登录'} onRetry={() => records.refetch()} />
      ) : rows.length === 0 ? (
        <Empty text={nothing}>
          <Button onClick={back}>返回福利卡</Button>
        </Empty>
      ) : (
        <PullRefresh onRefresh={() => records.refetch()}>
          <List
            more={room < rows.length || records.hasNextPage}
            loading={records.isFetchingNextPage}
            error={records.isFetchNextPageError ? '加载失败' : undefined}
            onMore={grow}
            count={Math.min(room, rows.length)}
          >
            <div className="mq-column records mq-page-list mq-gap-12">
              {byMonth(rows).map(({ month, list, from }, at, months) => {
                if (from >= room) return null;
                // The last month may have more records on the next page, so its sum is not shown yet.
                const whole = at < months.length - 1 || !records.hasNextPage;
                return (
                  <section key={month} aria-label={month}>
                    <h2>
                      {month}
                      {whole && list.length > 1 && (
                        <small className="mq-text-12 mq-regular">合计 {signedSum(list)} 点</small>
                      )}
                    </h2>
                    <ul className="mq-cells mq-divided">
                      {list.slice(0, room - from).map((record, i) => (
                        // Records have no id. Their index within the month does not change.
                        <li key={`${record.add_time} ${i}`}>
                          <Row record={record} />
                        </li>
                      ))}
                    </ul>
                  </section>
                );
              })}
            </div>
          </List>
        </PullRefresh>
      )}
    </>
  );
}

function Row({ record }: { record: CardRecord }) {
  const { kind, order_no, title, remark } = record;
  const points = signedPoints(record);
  const name = recordName(record);
  const { icon, tone } = recordIcon(record);
  const content = (
    <>
      <Icon name={icon} className={`records__icon mq-tone--${tone}`} />
      <span className="mq-grid mq-fill mq-text-14">
        {title || name}
        {remark && <small className="mq-small">说明：{remark}</small>}
        <small className="mq-small">
          {title && `${name} · `}
          <span className="mq-nowrap">{dateTimeText(record.add_time)}</span>
        </small>
      </span>
      <span
        className={cx('records__points mq-fixed mq-text-18 mq-bold', points.startsWith('+') && 'records__points--plus')}
      >
        {points}
        <small className="mq-text-12 mq-regular"> 点</small>
      </span>
    </>
  );
  if (!order_no) return <div className="records__row mq-row mq-gap-12 mq-px-16 mq-py-12">{content}</div>;
  return (
    <Link
      to={kind === 'goods' ? paths.cardOrder(order_no) : paths.order(order_no)}
      className="records__row mq-row mq-gap-12 mq-px-16 mq-py-12"
    >
      {content}
      <Icon name="forward" />
    </Link>
  );
}

/** The records of a month. `from` is the index of the first of them in the list of all records. */
interface Month {
  month: string;
  list: CardRecord[];
  from: number;
}

/** Groups records, newest first, by their month in China: 2026年5月. Records without a valid date are last. */
export function byMonth(records: readonly CardRecord[]): Month[] {
  const months: Month[] = [];
  for (const [from, record] of records.entries()) {
    const [year, number] = dateTimeText(record.add_time).split('-');
    const month = number ? `${year}年${Number(number)}月` : '更早';
    const last = months.at(-1);
    if (last?.month === month) last.list.push(record);
    else months.push({ month, list: [record], from });
  }
  return months;
}
