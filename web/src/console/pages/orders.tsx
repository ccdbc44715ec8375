import '../parts/entries.css';
import { Button } from '../../ui/button';
import { calls, type OrderQuery } from '../api/calls';
import { useAnswer } from '../api/queries';
import { Curl } from '../parts/curl';
import { plural } from '../parts/format';
import { Choice, Input, Select } from '../parts/inputs';
import { Title } from '../parts/panel';
import { useParams, useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';
import { Row } from './order-entry';

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
  const orders = useAnswer(list, { keep: true });
  const open = params.get('open') ?? '';
  return (
    <>
      <Title
        text="Orders"
        note="Tickets from both ticketing providers, payments and refunds from the messaging app, newest first."
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
          options={['', 'gateway', 'newmovie', 'wechat'].map((key) => ({ key, text: key || 'all' }))}
          onChange={(provider) => setParams({ provider, open: '' })}
        />
        <Select
          label="State"
          value={filter.state}
          room="small"
          options={['', ...(orders.data?.states ?? (filter.state ? [filter.state] : []))].map((key) => ({
            key,
            text: key || 'all',
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
            <Nothing text={Object.values(filter).some(Boolean) ? 'No order matches the filter.' : 'No orders yet.'} />
          ) : (
            <>
              <p className="count mq-note">{plural(data.total, 'entry', 'entries')}</p>
              <ul className="entries mq-sheet mq-clip" aria-label="Orders">
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
                <div className="more mq-note">
                  <Button size="small" onClick={() => setParams({ limit: String(limit + page) })}>
                    Show more
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Answer>
      <Curl call={list} label="the call that lists the orders" />
    </>
  );
}
