import '../parts/list.css';
import './seats.css';
import { useState } from 'react';
import { Link } from 'react-router';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { Seat, SeatMap, Showing } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { dayName, plural, shortTime, span, wallTime, yuan } from '../parts/format';
import { Hall, stateNames } from '../parts/hall';
import { Choice, Select } from '../parts/inputs';
import { useNow } from '../parts/now';
import { Panel, Scroll, Title } from '../parts/panel';
import { pathOf, useParams, useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';

const shanghai = '310100';

export function Seats() {
  const world = useWorld();
  const [params, setParams] = useParams();
  const showing = params.get('showing') ?? '';
  return (
    <>
      <Title text="Seats" note="The hall of any showing, live. Act as another buyer and take seats." />
      <Picker world={world} params={params} onChange={setParams} />
      {showing ? (
        <ShowingSeats key={showing} world={world} showing={showing} />
      ) : (
        <Nothing text="Pick a showing to see its hall." />
      )}
    </>
  );
}

function Picker({
  world,
  params,
  onChange,
}: {
  world: string;
  params: URLSearchParams;
  onChange: (values: Record<string, string>) => void;
}) {
  const provider = params.get('provider') ?? '';
  const city = params.get('city') || shanghai;
  const cities = useAnswer(calls.cities(world, ''));
  const cinemas = useAnswer(calls.cinemas(world, { provider, city }), { keep: true });
  const cinema = cinemas.data?.cinemas.find(({ id }) => id === params.get('cinema')) ?? cinemas.data?.cinemas[0];
  const day = params.get('day') ?? '';
  const all = calls.showings(world, { provider: '', cinema: cinema?.id ?? '', film: '', day });
  const showings = useAnswer(all, { enabled: cinema !== undefined, keep: true });
  const films = new Map(showings.data?.showings.map((one) => [one.film.id, one.film.name]));
  const wanted = params.get('film') ?? '';
  const film = films.has(wanted) ? wanted : ''; // a film may be shown on another day only
  const listed = showings.data?.showings.filter((one) => film === '' || one.film.id === film) ?? [];
  return (
    <Panel title="Showing">
      <div className="fields">
        <Select
          label="Provider"
          value={provider}
          options={[
            { key: '', text: 'both' },
            { key: 'gateway', text: 'gateway' },
            { key: 'newmovie', text: 'newmovie' },
          ]}
          onChange={(key) => onChange({ provider: key, cinema: '', showing: '', film: '' })}
          room="small"
        />
        <Select
          label="City"
          value={city}
          options={(cities.data?.cities ?? [{ id: city, name: city }]).map(({ id, name }) => ({ key: id, text: name }))}
          onChange={(key) => onChange({ city: key, cinema: '', showing: '', film: '' })}
          room="small"
        />
        <Select
          label="Cinema"
          value={cinema?.id ?? ''}
          options={(cinemas.data?.cinemas ?? []).map((one) => ({
            key: one.id,
            text: `${one.name} · ${one.provider}${one.all_day ? ' · showings around the clock' : ''}`,
          }))}
          onChange={(key) => onChange({ cinema: key, showing: '', film: '' })}
          room="wide"
        />
        <Select
          label="Film"
          value={film}
          options={[{ key: '', text: 'every film' }, ...[...films].map(([key, text]) => ({ key, text }))]}
          onChange={(key) => onChange({ film: key })}
        />
      </div>
      {showings.data && (
        <Choice
          label="Day"
          value={showings.data.day}
          onChange={(key) => onChange({ day: key, showing: '' })}
          options={showings.data.days.map((key) => ({
            key,
            text: (
              <>
                {dayName(key)} <small>{key.slice(5)}</small>
              </>
            ),
          }))}
        />
      )}
      {cinema ? (
        <Answer of={showings}>
          {() =>
            listed.length === 0 ? (
              <Nothing text="No more showings on this day." />
            ) : (
              <Scroll label="Showings">
                <div className="shows mq-flex mq-gap-8">
                  {listed.map((one) => (
                    <ShowingButton
                      key={one.id}
                      showing={one}
                      chosen={one.id === params.get('showing')}
                      onPick={() => onChange({ showing: one.id, cinema: cinema.id, city })}
                    />
                  ))}
                </div>
              </Scroll>
            )
          }
        </Answer>
      ) : (
        <Answer of={cinemas}>{() => <Nothing text="The city has no cinema of this provider." />}</Answer>
      )}
      <Curl
        call={calls.showings(world, { provider, cinema: cinema?.id ?? '', film, day })}
        label="the call that lists the showings"
      />
    </Panel>
  );
}

function ShowingButton({ showing, chosen, onPick }: { showing: Showing; chosen: boolean; onPick: () => void }) {
  return (
    <button type="button" className="show mq-grid mq-fixed" aria-pressed={chosen} onClick={onPick}>
      <strong className="mq-text-16">{shortTime(showing.starts)}</strong>
      <span lang="zh-CN" className="mq-ellipsis mq-text-13">
        {showing.film.name}
      </span>
      <small lang="zh-CN" className="mq-ellipsis">
        {showing.hall.name}
      </small>
      <small>{showing.sellable ? yuan(showing.price_fen) : 'not on sale'}</small>
    </button>
  );
}

function ShowingSeats({ world, showing }: { world: string; showing: string }) {
  const map = useAnswer(calls.seats(world, showing), { every: 10_000 });
  return (
    <Answer of={map} rows={8}>
      {(data) => <Floor world={world} map={data} />}
    </Answer>
  );
}

function Floor({ world, map }: { world: string; map: SeatMap }) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const { showing, counts } = map;
  const chosen = map.seats.filter(({ id }) => picked.includes(id));
  const free = chosen.filter(({ state }) => state === 'free').map(({ id }) => id);
  const others = chosen.filter(({ state }) => state === 'others').map(({ id }) => id);
  const toggle = (seat: Seat) =>
    setPicked((before) => (before.includes(seat.id) ? before.filter((id) => id !== seat.id) : [...before, seat.id]));
  const sell = calls.moveSeats(world, showing.id, 'sell', free);
  const release = calls.moveSeats(world, showing.id, 'free', others);
  const lock = showing.provider === 'gateway' ? 'seat.lock' : 'order/lock';
  const pay = showing.provider === 'gateway' ? 'order.create' : 'order/submit';
  const steal = calls.planFault(world, { provider: showing.provider, operation: lock, do: 'seat-taken', times: 1 });
  const lose = calls.planFault(world, { provider: showing.provider, operation: pay, do: 'lock-lost', times: 1 });
  return (
    <Panel
      title={showing.film.name}
      note={
        <>
          <span lang="zh-CN">{showing.cinema.name}</span>, <span lang="zh-CN">{showing.hall.name}</span>,{' '}
          {wallTime(showing.starts)}, showing <code>{showing.id}</code> of {showing.provider}
        </>
      }
      action={showing.sellable ? <Tag tone="ok">on sale</Tag> : <Tag>not on sale</Tag>}
    >
      <ul className="legend mq-flex mq-wrap mq-text-13" aria-label="Seats by state">
        {(['free', 'locked', 'sold', 'others'] as const).map((state) => (
          <li className="mq-inline mq-gap-6" key={state}>
            <span className={`seat mq-second mq-bold seat--${state}`} aria-hidden="true" />
            {stateNames[state]} <strong>{counts[state]}</strong>
          </li>
        ))}
      </ul>
      <Hall map={map} picked={picked} onToggle={toggle} />
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act
          kind="primary"
          call={sell}
          done="Sold to another buyer"
          disabled={free.length === 0}
          onDone={() => setPicked([])}
        >
          {free.length === 0 ? 'Sell to another buyer' : `Sell ${plural(free.length, 'seat')} to another buyer`}
        </Act>
        <Act call={release} done="Released" disabled={others.length === 0} onDone={() => setPicked([])}>
          {others.length === 0 ? 'Release' : `Release ${plural(others.length, 'seat')}`}
        </Act>
        <Act kind="text" call={steal} done="Planned">
          Plan a fault: seat taken
        </Act>
        <Act kind="text" call={lose} done="Planned">
          Plan a fault: lock lost
        </Act>
      </div>
      <Curls
        list={[
          ...(free.length > 0 ? [{ name: 'Sell to another buyer', call: sell }] : []),
          ...(others.length > 0 ? [{ name: 'Release', call: release }] : []),
          { name: 'Plan a fault: seat taken', call: steal },
          { name: 'Plan a fault: lock lost', call: lose },
        ]}
      />
      <p className="mq-note">
        Pick free seats to sell them, or other buyers' seats to release them. Seats of orders cannot be changed here. A
        planned fault hits the next lock ({lock}) or ticketing ({pay}) of {showing.provider}, in any showing.
      </p>
      <Holders world={world} seats={map.seats} />
      <Curl call={calls.seats(world, showing.id)} label="the call that reads the hall" />
    </Panel>
  );
}

/** Lists the locked and sold seats, grouped by order. */
function Holders({ world, seats }: { world: string; seats: Seat[] }) {
  const time = useNow(world);
  const orders = new Map<string, Seat[]>();
  for (const seat of seats) if (seat.order) orders.set(seat.order, [...(orders.get(seat.order) ?? []), seat]);
  if (orders.size === 0) return <p className="mq-note">No order holds a seat here.</p>;
  return (
    <ul className="list" aria-label="Orders with seats here">
      {[...orders].map(([no, own]) => {
        const first = own[0];
        const left = first?.until && time ? (Date.parse(first.until) - time.now) / 1000 : undefined;
        return (
          <li key={no} className="holder mq-row mq-wrap">
            <Tag tone={first?.state === 'locked' ? 'warn' : 'ok'}>{first?.state}</Tag>
            <span lang="zh-CN">{own.map(({ name }) => name).join(' ')}</span>
            <Link className="link mq-brand" to={pathOf('orders', world, { contains: no })}>
              {no}
            </Link>
            <span>{first?.mobile}</span>
            {left !== undefined && <span>{left > 0 ? `${span(left)} left` : 'expired'}</span>}
          </li>
        );
      })}
    </ul>
  );
}
