import '../parts/list.css';
import './faults.css';
import { useState } from 'react';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { NewStub, Stub } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { plural } from '../parts/format';
import { Input, Select, TextArea } from '../parts/inputs';
import { Panel, Title } from '../parts/panel';
import { useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';

export function Stubs() {
  const world = useWorld();
  const list = useAnswer(calls.stubs(world));
  const known = useAnswer(calls.faults(world));
  return (
    <>
      <Title
        text="Stubs"
        note="Prepared answers to calls that are not simulated. The provider still checks the call, and signs the answer if it signs its other answers."
      />
      <Answer of={list} rows={6}>
        {(data) => (
          <div className="panels panels--one mq-grid mq-gap-16">
            <Known world={world} stubs={data.stubs} />
            <Add world={world} providers={known.data?.providers.map(({ name }) => name) ?? ['wechat']} />
          </div>
        )}
      </Answer>
    </>
  );
}

function Known({ world, stubs }: { world: string; stubs: Stub[] }) {
  return (
    <Panel
      title="Stubs"
      action={
        stubs.length > 0 && (
          <Act kind="text" call={calls.removeStubs(world)} done="All removed">
            Remove all
          </Act>
        )
      }
    >
      {stubs.length === 0 ? (
        <Nothing text="There are no stubs." />
      ) : (
        <ul className="list">
          {stubs.map((stub) => (
            <li key={stub.id} className="fault mq-grid mq-align-center">
              <div className="fault__what mq-grid mq-gap-2">
                <strong>
                  {stub.method ?? 'any method'} {stub.path ?? 'any path'}
                </strong>
                <span>{stub.provider}</span>
                <small>
                  #{stub.id}
                  {stub.body && `, if the body matches ${stub.body}`}, answers {stub.answer.status ?? 200}
                </small>
              </div>
              <Tag tone={stub.hits > 0 ? 'ok' : 'plain'}>{plural(stub.hits, 'hit')}</Tag>
              <Act
                kind="text"
                call={calls.removeStub(world, stub.id)}
                done="Removed"
                aria-label={`Remove stub ${stub.id}`}
              >
                Remove
              </Act>
            </li>
          ))}
        </ul>
      )}
      <Curls list={[{ name: 'List', call: calls.stubs(world) }]} />
    </Panel>
  );
}

const methods = ['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function Add({ world, providers }: { world: string; providers: string[] }) {
  const [given, setGiven] = useState({
    provider: 'wechat',
    method: '',
    path: '/v3/',
    match: '',
    status: '',
    body: '',
    times: '',
  });
  const set = (name: keyof typeof given) => (value: string) => setGiven({ ...given, [name]: value });
  const stub: NewStub = {
    provider: given.provider,
    ...(given.method && { method: given.method }),
    ...(given.path && { path: given.path }),
    ...(given.match && { body: given.match }),
    answer: { ...(given.status && { status: Number(given.status) }), ...(given.body && { body: given.body }) },
    ...(given.times && { times: Number(given.times) }),
  };
  const call = calls.addStub(world, stub);
  return (
    <Panel
      title="Add a stub"
      note="The path and the body of the call must match completely; * stands for any characters."
    >
      <div className="fields">
        <Select
          label="Provider"
          value={given.provider}
          options={providers.map((name) => ({ key: name, text: name }))}
          onChange={set('provider')}
        />
        <Select
          label="Method"
          value={given.method}
          options={methods.map((name) => ({ key: name, text: name || 'any' }))}
          onChange={set('method')}
          room="small"
        />
        <Input label="Path" value={given.path} onChange={set('path')} room="wide" />
        <Input label="Body of the call" placeholder="any" value={given.match} onChange={set('match')} room="wide" />
        <Input
          label="Status"
          placeholder="200"
          inputMode="numeric"
          value={given.status}
          onChange={(text) => set('status')(text.replace(/\D/g, ''))}
          room="small"
        />
        <Input
          label="Times"
          placeholder="every call"
          inputMode="numeric"
          value={given.times}
          onChange={(text) => set('times')(text.replace(/\D/g, ''))}
          room="small"
        />
      </div>
      <div className="fields">
        <TextArea
          label="Body of the answer"
          hint={
            'can contain {{json a.b}}, {{form x}}, {{query x}}, {{header X}}, {{path}}, {{method}}, {{now}}, {{unix}} and {{uuid}}; as a JSON string: {"id":{{quote json out_order_no}}}'
          }
          value={given.body}
          onChange={set('body')}
        />
      </div>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act kind="primary" call={call} done="Added">
          Add the stub
        </Act>
      </div>
      <Curl call={call} label="the call to add the stub" />
    </Panel>
  );
}
