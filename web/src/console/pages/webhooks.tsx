import '../parts/list.css';
import { useState } from 'react';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { TargetList } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { messageOfDeliveries } from '../parts/deliveries';
import { Input, Select } from '../parts/inputs';
import { Panel, Title } from '../parts/panel';
import { useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';

export function Webhooks() {
  const world = useWorld();
  const list = useAnswer(calls.targets(world));
  return (
    <>
      <Title
        text="Webhooks"
        note="The providers' pushes, notifications and reports: resend one, or send copies to more receivers."
      />
      <Answer of={list} rows={6}>
        {(data) => (
          <div className="panels panels--one mq-grid mq-gap-16">
            <Targets world={world} list={data} />
            <Resend world={world} operations={data.operations} />
          </div>
        )}
      </Answer>
    </>
  );
}

function Targets({ world, list }: { world: string; list: TargetList }) {
  const [url, setURL] = useState('');
  const [operation, setOperation] = useState('');
  const add = calls.addTarget(world, { url, ...(operation && { operation }) });
  return (
    <Panel
      title="Targets"
      note="Each target gets a copy of every new webhook, or of one kind, with its own retries. SMS reports go to targets only. For other webhooks, only the shop's response determines what the provider does next."
    >
      {list.targets.length === 0 ? (
        <Nothing text="No targets: only the shop gets webhooks, and SMS reports are not sent." />
      ) : (
        <ul className="list">
          {list.targets.map((target) => (
            <li key={target.id} className="fault mq-grid mq-align-center">
              <div className="fault__what mq-grid mq-gap-2">
                <code>{target.url}</code>
              </div>
              <Tag>{target.operation ?? 'all'}</Tag>
              <Act
                kind="text"
                call={calls.removeTarget(world, target.id)}
                done="Removed"
                aria-label={`Remove target ${target.id}`}
              >
                Remove
              </Act>
            </li>
          ))}
        </ul>
      )}
      <form className="fields" onSubmit={(event) => event.preventDefault()}>
        <Input label="Address" value={url} placeholder="http://127.0.0.1:8090/copies" onChange={setURL} room="wide" />
        <Select
          label="Webhooks"
          value={operation}
          options={[{ key: '', text: 'all' }, ...list.operations.map((name) => ({ key: name, text: name }))]}
          onChange={setOperation}
        />
        <Act call={add} done="Added" disabled={url === ''}>
          Add target
        </Act>
      </form>
      <Curls
        list={[
          { name: 'List', call: calls.targets(world) },
          { name: 'Add', call: add },
          ...list.targets.map(({ id }) => ({ name: `Remove #${id}`, call: calls.removeTarget(world, id) })),
        ]}
      />
    </Panel>
  );
}

function Resend({ world, operations }: { world: string; operations: string[] }) {
  const [operation, setOperation] = useState('notify');
  const [subject, setSubject] = useState('');
  const call = calls.resend(world, { operation, subject });
  return (
    <Panel
      title="Resend"
      note="Sends a webhook again, to its receiver and to every target. Enter the shop's number of a payment, refund or ticket order, or the id of a text message."
    >
      <form className="fields" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="Webhook"
          value={operation}
          options={operations.map((name) => ({ key: name, text: name }))}
          onChange={setOperation}
        />
        <Input label="Number" value={subject} onChange={setSubject} room="wide" />
        <Act call={call} done={messageOfDeliveries} disabled={subject === ''}>
          Resend
        </Act>
      </form>
      <Curl call={call} label="the call to resend the webhook" />
    </Panel>
  );
}
