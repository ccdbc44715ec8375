import { Link } from 'react-router';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import { Tag, type Tone } from '../../ui/tag';
import { calls, type OrderQuery } from '../api/calls';
import { useAnswer } from '../api/queries';
import type { Order, OrderList } from '../api/types';
import { Act } from '../parts/act';
import { Value } from '../parts/copy';
import { Curl, Curls } from '../parts/curl';
import { clockTime, plural, wallTime, yuan } from '../parts/format';
import { Choice, Input, Select } from '../parts/inputs';
import { Title } from '../parts/panel';
import { pathOf, useParams, useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';

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

const page = 50;

export function Orders() {
  const world = useWorld();
  const [params, setParams] = useParams();
  const filter: OrderQuery = {
    kind: params.get('kind') ?? '',
    provider: params.get('provider') ?? '',
    state: params.get('state') ?? '',
    contains: params.get('contains') ?? '',
  };
  const limit = Number(params.get('limit')) || page;
  const list = calls.orders(world, { ...filter, limit });
  const orders = useAnswer<OrderList>(list, { keep: true });
  const open = params.get('open') ?? '';
  return (
    <>
      <Title
        text="Orders"
        note="Tickets of both ticketing providers, payments and refunds of the messaging app, the newest first."
      />
      <div className="bar">
        <Choice
          label="Kind"
          value={filter.kind}
          onChange={(kind) => setParams({ kind, open: '' })}
          options={[
            { key: '', text: 'all' },
            { key: 'ticket', text: 'tickets' },
            { key: 'payment', text: 'payments' },
            { key: 'refund', text: 'refunds' },
          ]}
        />
        <Select
          label="Provider"
          value={filter.provider}
          room="small"
          options={['', 'gateway', 'newmovie', 'wechat'].map((key) => ({ key, text: key || 'every one' }))}
          onChange={(provider) => setParams({ provider, open: '' })}
        />
        <Select
          label="State"
          value={filter.state}
          room="small"
          options={['', ...(orders.data?.states ?? (filter.state ? [filter.state] : []))].map((key) => ({
            key,
            text: key || 'every one',
          }))}
          onChange={(state) => setParams({ state, open: '' })}
        />
        <Input
          label="Contains"
          type="search"
          value={filter.contains}
          placeholder="number, mobile, film, cinema, openid"
          onChange={(contains) => setParams({ contains, open: '' })}
          room="wide"
        />
      </div>
      <Answer of={orders} rows={8}>
        {(data) =>
          data.orders.length === 0 ? (
            <Nothing
              text={
                Object.values(filter).some(Boolean) ? 'No order fits the filter.' : 'Nobody has ordered anything yet.'
              }
            />
          ) : (
            <>
              <p className="count">{plural(data.total, 'entry', 'entries')}</p>
              <ul className="entries" aria-label="Orders">
                {data.orders.map((order) => {
                  const key = `${order.kind}:${order.no}`;
                  return (
                    <Row
                      key={`${order.provider}:${key}`}
                      world={world}
                      order={order}
                      open={key === open}
                      onToggle={() => setParams({ open: key === open ? '' : key })}
                    />
                  );
                })}
              </ul>
              {data.orders.length < data.total && (
                <div className="more">
                  <Button size="small" onClick={() => setParams({ limit: String(limit + page) })}>
                    Show more
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Answer>
      <Curl call={list} label="the call that lists them" />
    </>
  );
}

/** What an order is of, in a line. */
function subject(order: Order): string {
  if (order.ticket) return `${order.ticket.showing.film.name} ${order.ticket.seats.join(' ')}`;
  if (order.payment) return order.payment.description;
  return order.refund?.reason || `of ${order.refund?.out_trade_no}`;
}

function Row({ world, order, open, onToggle }: { world: string; order: Order; open: boolean; onToggle: () => void }) {
  const id = `order-${order.kind}-${order.no}`;
  return (
    <li className={cx('entry', open && 'entry--open')}>
      <button type="button" className="entry__head" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <time>{clockTime(order.at)}</time>
        <span className="entry__what">
          <strong>{order.no}</strong>
          <span>
            {order.kind}, {order.provider}
          </span>
        </span>
        <span className="entry__why" lang="zh-CN">
          {subject(order)}
        </span>
        <span className="entry__status">{yuan(order.amount_fen)}</span>
        <Tag tone={tones[order.state] ?? 'plain'}>{order.state}</Tag>
        <Icon name={open ? 'up' : 'down'} />
      </button>
      {open && (
        <div id={id} className="entry__body">
          <Timeline order={order} />
          <Detail world={world} order={order} />
        </div>
      )}
    </li>
  );
}

function Timeline({ order }: { order: Order }) {
  return (
    <ol className="timeline" aria-label="What became of it">
      {order.history.map((step) => (
        <li key={`${step.state} ${step.at}`}>
          <Tag tone={tones[step.state] ?? 'plain'}>{step.state}</Tag>
          <time>{wallTime(step.at)}</time>
        </li>
      ))}
    </ol>
  );
}

function Detail({ world, order }: { world: string; order: Order }) {
  const { ticket, payment, refund } = order;
  return (
    <>
      <dl className="facts">
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
            <Link className="link" to={pathOf('orders', world, { contains: refund.out_trade_no })}>
              {refund.out_trade_no}
            </Link>
          </Fact>
        )}
      </dl>
      {payment?.payable && <Pay world={world} prepayID={payment.prepay_id} />}
      <p>
        <Link className="link" to={pathOf('journal', world, { contains: order.no })}>
          The calls about it
        </Link>
      </p>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function TicketFacts({ world, ticket }: { world: string; ticket: NonNullable<Order['ticket']> }) {
  const { showing } = ticket;
  return (
    <>
      <Fact name="Showing">
        <Link
          className="link"
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
      {ticket.reason && <Fact name="Refused because">{ticket.reason}</Fact>}
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
      <div className="row">
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
