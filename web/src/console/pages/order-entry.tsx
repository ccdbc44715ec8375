import './order-entry.css';
import { Link } from 'react-router';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import { Tag, type Tone } from '../../ui/tag';
import { calls } from '../api/calls';
import type { Order } from '../api/generated/control';
import { Act } from '../parts/act';
import { Value } from '../parts/copy';
import { Curl, Curls } from '../parts/curl';
import { messageOfDeliveries } from '../parts/deliveries';
import { Fact, Facts } from '../parts/facts';
import { clockTime, wallTime, yuan } from '../parts/format';
import { pathOf } from '../parts/place';

const tones: Record<string, Tone> = {
  held: 'warn',
  doing: 'warn',
  issuing: 'warn',
  NOTPAY: 'warn',
  PROCESSING: 'warn',
  sold: 'ok',
  issued: 'ok',
  SUCCESS: 'ok',
  REFUND: 'gold',
  'hold-lost': 'bad',
  'issue-refused': 'bad',
  ABNORMAL: 'bad',
};

/** Describes the content of an order in one line. */
function subject(order: Order): string {
  if (order.ticket) return `${order.ticket.showing.film.name} ${order.ticket.seats.join(' ')}`;
  if (order.payment) return order.payment.description;
  return order.refund?.reason || `of ${order.refund?.out_trade_no}`;
}

/** An order in the list. It shows its details when it is open. */
export function Row({
  world,
  order,
  open,
  onToggle,
}: {
  world: string;
  order: Order;
  open: boolean;
  onToggle: () => void;
}) {
  const id = `order-${order.kind}-${order.no}`;
  return (
    <li className={cx('entry', open && 'entry--open')}>
      <button
        type="button"
        className="entry__head mq-grid mq-align-center"
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
      >
        <time className="mq-note">{clockTime(order.at)}</time>
        <span className="entry__what mq-grid mq-shrink">
          <strong className="mq-strong">{order.no}</strong>
          <span className="mq-small">
            {order.kind}, {order.provider}
          </span>
        </span>
        <span className="entry__why mq-clip mq-note mq-nowrap" lang="zh-CN">
          {subject(order)}
        </span>
        <span className="entry__status">{yuan(order.amount_fen)}</span>
        <Tag tone={tones[order.state] ?? 'plain'}>{order.state}</Tag>
        <Icon name={open ? 'up' : 'down'} />
      </button>
      {open && (
        <div id={id} className="entry__body mq-grid mq-gap-16 mq-line-above">
          <Timeline order={order} />
          <Detail world={world} order={order} />
        </div>
      )}
    </li>
  );
}

function Timeline({ order }: { order: Order }) {
  return (
    <ol className="timeline mq-flex mq-wrap" aria-label="History">
      {order.history.map((step) => (
        <li className="mq-grid mq-relative mq-gap-2" key={`${step.state} ${step.at}`}>
          <Tag tone={tones[step.state] ?? 'plain'}>{step.state}</Tag>
          <time className="mq-small">{wallTime(step.at)}</time>
        </li>
      ))}
    </ol>
  );
}

function Detail({ world, order }: { world: string; order: Order }) {
  const { ticket, payment, refund } = order;
  return (
    <>
      <Facts>
        <Fact name="Number">
          <Value text={order.no} label="the number" />
        </Fact>
        {order.id && (
          <Fact name="Provider's number">
            <Value text={order.id} label="the provider's number" />
          </Fact>
        )}
        <Fact name="Amount">{yuan(order.amount_fen)}</Fact>
        {ticket && <TicketFacts world={world} ticket={ticket} />}
        {payment && (
          <>
            <Fact name="prepay_id">
              <Value text={payment.prepay_id} label="the prepay_id" />
            </Fact>
            <Fact name="Payer">
              <Value text={payment.openid} label="the payer's openid" />
            </Fact>
            <Fact name="Payable until">{wallTime(payment.until)}</Fact>
            {payment.refunded_fen > 0 && <Fact name="Refunded">{yuan(payment.refunded_fen)}</Fact>}
          </>
        )}
        {refund && (
          <Fact name="Payment">
            <Link className="link mq-brand" to={pathOf('orders', world, { contains: refund.out_trade_no })}>
              {refund.out_trade_no}
            </Link>
          </Fact>
        )}
      </Facts>
      <Again world={world} order={order} />
      {payment?.payable && <Pay world={world} prepayID={payment.prepay_id} />}
      <p>
        <Link className="link mq-brand" to={pathOf('journal', world, { contains: order.no })}>
          Journal entries of this order
        </Link>
      </p>
    </>
  );
}

/** Returns the name of the webhook that has reported an order in this state to the shop; undefined if there is none. */
export function webhookOf({ kind, provider, state }: Order): string | undefined {
  if (kind === 'payment') return ['SUCCESS', 'REFUND'].includes(state) ? 'notify' : undefined;
  if (kind === 'refund') return state === 'PROCESSING' ? undefined : 'refund-notify';
  return provider === 'gateway' && ['issued', 'issue-refused'].includes(state) ? 'ticket.push' : undefined;
}

function Again({ world, order }: { world: string; order: Order }) {
  const operation = webhookOf(order);
  if (!operation) return null;
  const call = calls.resend(world, { operation, subject: order.no });
  return (
    <>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act call={call} done={messageOfDeliveries} icon="refresh">
          Resend the webhook
        </Act>
      </div>
      <Curl call={call} label="the call to resend the webhook" />
    </>
  );
}

function TicketFacts({ world, ticket }: { world: string; ticket: NonNullable<Order['ticket']> }) {
  const { showing } = ticket;
  return (
    <>
      <Fact name="Showing">
        <Link
          className="link mq-brand"
          to={pathOf('seats', world, { city: showing.city.id, cinema: showing.cinema.id, showing: showing.id })}
        >
          <span lang="zh-CN">{showing.film.name}</span>, {wallTime(showing.starts)}
        </Link>
      </Fact>
      <Fact name="Cinema">
        <span lang="zh-CN">
          {showing.cinema.name} {showing.hall.name}
        </span>
      </Fact>
      <Fact name="Seats">
        <span lang="zh-CN">{ticket.seats.join(' ')}</span>
      </Fact>
      <Fact name="Mobile">{ticket.mobile}</Fact>
      <Fact name="Locked until">{wallTime(ticket.until)}</Fact>
      {ticket.reason && <Fact name="Rejected because">{ticket.reason}</Fact>}
      {ticket.codes.map(({ name, code }) => (
        <Fact key={name} name={name}>
          <Value text={code} label={name} />
        </Fact>
      ))}
    </>
  );
}

function Pay({ world, prepayID }: { world: string; prepayID: string }) {
  const outcomes = [
    { outcome: 'pay', text: 'Pay', done: 'Paid' },
    { outcome: 'cancel', text: 'Cancel', done: 'Cancelled' },
    { outcome: 'fail', text: 'Fail', done: 'Failed' },
  ] as const;
  return (
    <>
      <div className="row mq-flex mq-wrap mq-gap-8">
        {outcomes.map(({ outcome, text, done }) => (
          <Act
            key={outcome}
            kind={outcome === 'pay' ? 'primary' : 'default'}
            call={calls.pay(world, prepayID, outcome)}
            done={done}
          >
            {text}
          </Act>
        ))}
      </div>
      <Curls list={outcomes.map(({ outcome, text }) => ({ name: text, call: calls.pay(world, prepayID, outcome) }))} />
    </>
  );
}
