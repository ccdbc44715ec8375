import '../parts/list.css';
import './faults.css';
import { useState } from 'react';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { Effect, FaultList, NewFault, PlannedFault, Provider } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { plural } from '../parts/format';
import { Input, Select } from '../parts/inputs';
import { Panel, Scroll, Title } from '../parts/panel';
import { useParams, useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';

export function Faults() {
  const world = useWorld();
  const list = useAnswer(calls.faults(world));
  return (
    <>
      <Title
        text="Faults"
        note="Plan exactly what goes wrong: which call, how often, and whether the provider acts before it fails."
      />
      <Answer of={list} rows={8}>
        {(data) => (
          <div className="panels panels--one mq-grid mq-gap-16">
            <Planned world={world} faults={data.faults} />
            <Plan world={world} list={data} />
          </div>
        )}
      </Answer>
    </>
  );
}

function Planned({ world, faults }: { world: string; faults: PlannedFault[] }) {
  return (
    <Panel
      title="Planned"
      action={
        faults.length > 0 && (
          <Act
            kind="text"
            call={calls.removeFaults(world)}
            done="All removed"
            ask={{ title: 'Remove all faults?', message: plural(faults.length, 'fault'), confirmText: 'Remove' }}
          >
            Remove all
          </Act>
        )
      }
    >
      {faults.length === 0 ? (
        <Nothing text="No fault is planned." />
      ) : (
        <ul className="list">
          {faults.map((fault) => (
            <FaultRow key={fault.id} world={world} fault={fault} />
          ))}
        </ul>
      )}
      <Curls
        list={[
          { name: 'List the faults, and what can be planned', call: calls.faults(world) },
          ...(faults.length > 0 ? [{ name: 'Remove all', call: calls.removeFaults(world) }] : []),
          ...faults.map(({ id }) => ({ name: `Remove #${id}`, call: calls.removeFault(world, id) })),
        ]}
      />
    </Panel>
  );
}

/** Describes to which calls a planned fault applies. */
export function whenOf({ skip = 0, times = 0, probability = 0, seed = 0 }: NewFault): string {
  const which = times === 0 ? 'every call' : times === 1 ? 'one call' : `${times} calls`;
  const after = skip > 0 ? `, after ${plural(skip, 'call')}` : '';
  const chance = probability > 0 ? `, with probability ${probability} (seed ${seed})` : '';
  return which + after + chance;
}

function FaultRow({ world, fault }: { world: string; fault: PlannedFault }) {
  const used = fault.times !== undefined && fault.times > 0 && fault.hits >= fault.times;
  const fields = (['latency_ms', 'status', 'code', 'message', 'delay_s', 'body'] as const).filter(
    (name) => fault[name],
  );
  return (
    <li className="fault mq-grid mq-align-center">
      <div className="fault__what mq-grid mq-gap-2">
        <strong>{fault.do}</strong>
        <span>
          {fault.provider} <code>{fault.operation}</code>
        </span>
        <small>
          #{fault.id}, {whenOf(fault)}
          {fields.map((name) => `, ${name} ${fault[name]}`)}
        </small>
      </div>
      <div className="mq-flex mq-wrap mq-gap-4">
        <Tag tone={fault.hits > 0 ? (used ? 'plain' : 'bad') : 'plain'}>{plural(fault.hits, 'hit')}</Tag>
        <Tag>{plural(fault.seen, 'call')} seen</Tag>
        {used && <Tag>used up</Tag>}
      </div>
      <Act kind="text" call={calls.removeFault(world, fault.id)} done="Removed" aria-label={`Remove fault ${fault.id}`}>
        Remove
      </Act>
    </li>
  );
}

/** Returns the kinds of faults that an operation can have; those that only this provider has come first. */
export function kindsOf(
  list: FaultList,
  provider: Provider | undefined,
  operation: string,
): ({ do: string; own: boolean } & Effect)[] {
  const own = Object.entries(provider?.domain_kinds ?? {})
    .filter(([, at]) => operation === '*' || at.includes(operation))
    .map(([kind]) => ({ do: kind, own: true, ...(provider?.effects[kind] ?? { text: '', fields: [] }) }));
  return [...own, ...list.wire_kinds.map((kind) => ({ ...kind, own: false }))];
}

const numbers = ['nth', 'skip', 'times', 'probability', 'seed', 'latency_ms', 'status', 'delay_s'] as const;
const texts = ['code', 'message', 'body', 'host'] as const;

const fieldNames: Record<string, { label: string; hint: string }> = {
  latency_ms: { label: 'Latency, ms', hint: 'real time' },
  status: { label: 'HTTP status', hint: '200 to 599' },
  body: { label: 'Body', hint: 'replaces the answer' },
  code: { label: 'Code', hint: "the provider's error code" },
  message: { label: 'Message', hint: "the provider's error message" },
  delay_s: { label: 'Delay, s', hint: 'business time' },
};

function Plan({ world, list }: { world: string; list: FaultList }) {
  const [params, setParams] = useParams();
  const [given, setGiven] = useState<Record<string, string>>({ times: '1' });
  const provider = list.providers.find(({ name }) => name === params.get('provider')) ?? list.providers[0];
  const operations = provider?.operations ?? [];
  const operation = operations.find((name) => name === params.get('operation')) ?? '*';
  const kinds = kindsOf(list, provider, operation);
  const kind = kinds.find((one) => one.do === params.get('do')) ?? kinds[0];
  // The values come from the simulators' list, so the API accepts them although they are plain strings here.
  const fault = { provider: provider?.name, operation, do: kind?.do } as NewFault;
  const wanted = ['skip', 'times', 'probability', 'seed', 'host', ...(kind?.fields ?? [])];
  for (const name of numbers) {
    const text = given[name];
    if (text && wanted.includes(name)) fault[name] = Number(text);
  }
  for (const name of texts) {
    const text = given[name];
    if (text && wanted.includes(name)) fault[name] = text;
  }
  const call = calls.planFault(world, fault);
  const field = (name: string, label: string, hint: string) => (
    <Input
      key={name}
      label={label}
      hint={hint}
      room={name === 'body' || name === 'message' ? 'wide' : 'small'}
      inputMode={(texts as readonly string[]).includes(name) ? 'text' : 'decimal'}
      value={given[name] ?? ''}
      onChange={(text) =>
        setGiven({ ...given, [name]: (texts as readonly string[]).includes(name) ? text : text.replace(/[^\d.]/g, '') })
      }
    />
  );
  return (
    <Panel title="Plan a fault">
      <div className="fields">
        <Select
          label="Provider"
          value={provider?.name ?? ''}
          options={list.providers.map(({ name }) => ({ key: name, text: name }))}
          onChange={(name) => setParams({ provider: name, operation: '', do: '' })}
        />
        <Select
          label="Operation"
          value={operation}
          options={[{ key: '*', text: '* (all)' }, ...operations.map((name) => ({ key: name, text: name }))]}
          onChange={(name) => setParams({ operation: name, do: '' })}
        />
      </div>
      <fieldset className="kinds">
        <legend className="mq-small">What happens</legend>
        <Scroll label="What can happen">
          <div className="kinds__list">
            {kinds.map((one) => (
              <label className="mq-flex mq-gap-10" key={one.do}>
                <input
                  type="radio"
                  name="do"
                  checked={one.do === kind?.do}
                  onChange={() => setParams({ do: one.do })}
                />
                <span className="mq-shrink">
                  <strong>{one.do}</strong> {one.own && <Tag tone="gold">{provider?.name}</Tag>}
                  <small className="mq-block">{one.text}</small>
                </span>
              </label>
            ))}
          </div>
        </Scroll>
      </fieldset>
      <div className="fields">
        {(kind?.fields ?? []).map((name) => field(name, fieldNames[name]?.label ?? name, fieldNames[name]?.hint ?? ''))}
        {field('skip', 'Skip', 'calls to let through first')}
        {field('times', 'Times', 'empty or 0: every call')}
        {field('host', 'Host', 'only calls to this host; empty: any')}
        {field('probability', 'Probability', '0 to 1; empty: always')}
        {given.probability ? field('seed', 'Seed', 'of the random numbers') : null}
      </div>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act kind="primary" call={call} done="Planned">
          Plan the fault
        </Act>
      </div>
      <Curl call={call} label="the call to plan the fault" />
    </Panel>
  );
}
