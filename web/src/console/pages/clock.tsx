import './clock.css';
import { useState } from 'react';
import { Skeleton } from '../../ui/skeleton';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import { Act } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { clockTime, span, wallTime } from '../parts/format';
import { Input, Select } from '../parts/inputs';
import { useNow } from '../parts/now';
import { Panel, Title } from '../parts/panel';
import { useWorld } from '../parts/place';

const presets = [
  { text: '1 minute', seconds: 60 },
  { text: '15 minutes', seconds: 900 },
  { text: '1 hour', seconds: 3600 },
  { text: '1 day', seconds: 86_400 },
  { text: '7 days', seconds: 604_800 },
];

const units = [
  { key: '1', text: 'seconds' },
  { key: '60', text: 'minutes' },
  { key: '3600', text: 'hours' },
  { key: '86400', text: 'days' },
];

export function ClockPage() {
  const world = useWorld();
  return (
    <>
      <Title
        text="Clock"
        note="Locks, tickets, retries, showings and most tokens follow business time. Signed timestamps and the messaging app's account tokens follow real time."
      />
      <div className="panels mq-grid mq-gap-16">
        <Face world={world} />
        <Advance world={world} />
      </div>
    </>
  );
}

function Face({ world }: { world: string }) {
  const time = useNow(world);
  if (!time) {
    return (
      <Panel title="Business time">
        <Skeleton rows={3} label="Loading" />
      </Panel>
    );
  }
  const { clock, now } = time;
  const offset = clock.offset_seconds;
  const how = clock.frozen ? 'resume' : 'freeze';
  return (
    <Panel title="Business time" action={clock.frozen ? <Tag tone="warn">frozen</Tag> : <Tag tone="ok">running</Tag>}>
      <p className="face mq-line mq-gap-12 mq-rows-0">
        <time dateTime={new Date(now).toISOString()}>{clockTime(now)}</time>
        <span className="mq-second">{wallTime(now).slice(0, 10)}, Asia/Shanghai</span>
      </p>
      <p className="mq-note">
        {clock.frozen
          ? 'It does not follow real time until it is resumed.'
          : Math.abs(offset) < 1
            ? 'The same as real time.'
            : `${span(offset)} ${offset > 0 ? 'ahead of' : 'behind'} real time.`}
      </p>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act
          call={calls.moveClock(world, how)}
          done={clock.frozen ? 'Resumed' : 'Frozen'}
          icon={clock.frozen ? 'forward' : 'minus'}
        >
          {clock.frozen ? 'Resume' : 'Freeze'}
        </Act>
        <Act call={calls.moveClock(world, 'reset')} done="Reset" icon="refresh">
          {clock.frozen ? 'Undo all advances and resume' : 'Undo all advances'}
        </Act>
      </div>
      <Curls
        list={[
          { name: clock.frozen ? 'Resume' : 'Freeze', call: calls.moveClock(world, how) },
          { name: 'Reset', call: calls.moveClock(world, 'reset') },
          { name: 'Read', call: calls.clock(world) },
        ]}
      />
    </Panel>
  );
}

function Advance({ world }: { world: string }) {
  const [amount, setAmount] = useState('10');
  const [unit, setUnit] = useState('60');
  const [to, setTo] = useState('');
  const custom = calls.advance(world, { seconds: Math.round(Number(amount) * Number(unit)) });
  const until = calls.advance(world, { to: to && `${to.length === 16 ? `${to}:00` : to}+08:00` });
  return (
    <Panel
      title="Advance"
      note="What becomes due is started in the order of its time: locks expire, tickets are issued, webhooks are retried."
    >
      <div className="row mq-flex mq-wrap mq-gap-8">
        {presets.map(({ text, seconds }) => (
          <Act key={seconds} call={calls.advance(world, { seconds })} done={`Advanced by ${text}`} icon="plus">
            {text}
          </Act>
        ))}
      </div>
      <Curls list={presets.map(({ text, seconds }) => ({ name: text, call: calls.advance(world, { seconds }) }))} />
      <form className="fields" onSubmit={(event) => event.preventDefault()}>
        <Input
          label="By"
          value={amount}
          onChange={(text) => setAmount(text.replace(/[^\d.]/g, ''))}
          inputMode="decimal"
          room="small"
        />
        <Select label="Unit" value={unit} onChange={setUnit} options={units} room="small" />
        <Act call={custom} done="Advanced" disabled={!(Number(amount) > 0)}>
          Advance
        </Act>
      </form>
      <Curl call={custom} label="the call to advance by this time" />
      <form className="fields" onSubmit={(event) => event.preventDefault()}>
        <Input label="To (Shanghai time)" type="datetime-local" step="1" value={to} onChange={setTo} room="wide" />
        <Act call={until} done="Advanced" disabled={to === ''}>
          Advance to this time
        </Act>
      </form>
      {to !== '' && <Curl call={until} label="the call to advance to this time" />}
    </Panel>
  );
}
