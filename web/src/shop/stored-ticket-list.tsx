import { Link } from 'react-router';
import './stored-ticket-list.css';
import type { UseBaseQueryResult } from '@tanstack/react-query';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { NoticeBar } from '../ui/notice-bar';
import { Picture } from '../ui/picture';
import { isUnreached } from '../wire/api-error';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import { paths } from './paths';
import { seatsText } from './ticket-order';
import { momentText } from './time';

/** Reports whether a query has no answer because the shop is unreachable, also while it is retried. */
export function isWithoutNetwork({ data, isPaused, failureReason }: UseBaseQueryResult<unknown>): boolean {
  return data === undefined && (isPaused || isUnreached(failureReason));
}

/** A notice that the network is unavailable and that the tickets below it are those stored on the phone. */
export function StoredNotice() {
  return <NoticeBar icon="offline">网络不可用，以下是保存在本机的电子票。</NoticeBar>;
}

interface StoredTicketListProps {
  tickets: readonly TicketOrder[];
  /** Loads the page again. */
  onRetry: () => unknown;
}

/** The tickets that are stored on the phone, for a page that cannot reach the shop. */
export function StoredTicketList({ tickets, onRetry }: StoredTicketListProps) {
  return (
    <section className="mq-column stored mq-gap-12" aria-labelledby="stored-tickets">
      <StoredNotice />
      <h2 id="stored-tickets" className="mq-hidden">
        本机电子票
      </h2>
      <ul className="mq-grid mq-gap-12">
        {tickets.map((order) => (
          <li key={order.id}>
            <Link to={paths.order(order.id)} className="mq-card mq-row mq-gap-12">
              <Picture className="mq-fixed" src={order.movielogo} alt="" width={48} fallback="ticket" />
              <span className="mq-grid mq-fill mq-gap-2 mq-note">
                <strong className="mq-name">{order.moviename}</strong>
                <span>{momentText(order.playtime)}</span>
                <span>{order.cinemaname}</span>
                <span>
                  {order.roomname} {seatsText(order)}
                </span>
              </span>
              <Icon name="forward" />
            </Link>
          </li>
        ))}
      </ul>
      <Button icon="refresh" onClick={onRetry}>
        重试
      </Button>
    </section>
  );
}
