import { type ChangeEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../ui/button';
import { Tag } from '../../ui/tag';
import { toast } from '../../ui/toast';
import type { Call } from '../api/call';
import { calls } from '../api/calls';
import { useAnswer, useSend } from '../api/queries';
import type { WorldDetails, WorldInfo } from '../api/types';
import { Act, says, Wrong } from '../parts/act';
import { Copy, Value } from '../parts/copy';
import { Curl, Curls } from '../parts/curl';
import { span, wallTime } from '../parts/format';
import { Input } from '../parts/inputs';
import { Panel, Scroll, Title } from '../parts/panel';
import { pathOf, useWorld } from '../parts/place';
import { Answer } from '../parts/states';

export function Overview() {
  const world = useWorld();
  const details = useAnswer<WorldDetails>(calls.world(world));
  return (
    <>
      <Title
        text="Overview"
        note="Every provider a shop needs, simulated. A world is a whole of its own: seats, orders, money, messages, clock and faults."
      />
      <div className="panels">
        <Answer of={details}>{(data) => <ThisWorld details={data} />}</Answer>
        <Create />
        <Worlds shown={world} />
        <Answer of={details}>{(data) => <Addresses details={data} />}</Answer>
        <Answer of={details}>{(data) => <Credentials details={data} />}</Answer>
      </div>
    </>
  );
}

function ThisWorld({ details }: { details: WorldDetails }) {
  const go = useNavigate();
  const { id } = details;
  const isDefault = id === 'default';
  const visit = (made: WorldDetails) => go(pathOf('', made.id));
  return (
    <Panel
      title="This world"
      action={details.frozen ? <Tag tone="warn">clock frozen</Tag> : <Tag tone="ok">running</Tag>}
    >
      <dl className="facts">
        <Fact name="Id">
          <Value text={id} label="the id" />
        </Fact>
        <Fact name="Seed">{String(details.seed)}</Fact>
        <Fact name="Business time">{wallTime(details.now)}</Fact>
        <Fact name="Created">{wallTime(details.created)}</Fact>
        <Fact name="Expires">
          {isDefault ? 'never' : `after ${span(details.expires_in_seconds ?? 0)} without a call`}
        </Fact>
      </dl>
      <div className="row">
        <Act call={calls.fork(id)} done="Forked" onDone={visit}>
          Fork
        </Act>
        <Act
          call={calls.reset(id)}
          done="It begins again"
          ask={{
            title: `Reset ${id}?`,
            message:
              'Its clock, seats, orders and messages become as they were at the beginning; faults and the journal go.',
            confirmText: 'Reset',
          }}
        >
          Reset
        </Act>
        <a className="button" href={`/sim/v1/worlds/${id}/snapshot`} download={`${id}.world.json`}>
          Download snapshot
        </a>
        <Upload text="Restore a snapshot here" call={(file) => calls.restoreInto(id, file)} done="Restored" />
        {!isDefault && (
          <Act
            kind="plain"
            call={calls.deleteWorld(id)}
            done="Deleted"
            onDone={() => go('/')}
            ask={{
              title: `Delete ${id}?`,
              message: 'Its credentials are unknown from then on.',
              confirmText: 'Delete',
            }}
          >
            Delete
          </Act>
        )}
      </div>
      <Curls
        list={[
          { name: 'Fork', call: calls.fork(id) },
          { name: 'Reset', call: calls.reset(id) },
          { name: 'Download snapshot', call: calls.snapshot(id), into: `${id}.world.json` },
          { name: 'Restore a snapshot here', call: calls.restoreInto(id, `${id}.world.json`) },
          ...(isDefault ? [] : [{ name: 'Delete', call: calls.deleteWorld(id) }]),
        ]}
      />
    </Panel>
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

/** Sends a snapshot file as the body of a call. */
function Upload({
  text,
  call,
  done,
  onDone,
}: {
  text: string;
  call: (file: string) => Call;
  done: string;
  onDone?: (made: WorldDetails) => void;
}) {
  const send = useSend();
  const [wrong, setWrong] = useState<string>();

  async function upload(event: ChangeEvent<HTMLInputElement>) {
    const input = event.target;
    const file = input.files?.[0];
    if (!file) return;
    setWrong(undefined);
    try {
      const made = await send<WorldDetails>(call(file.name), await file.text());
      toast.ok(done);
      onDone?.(made);
    } catch (failure) {
      setWrong(says(failure));
    }
    input.value = '';
  }

  return (
    <span className="act">
      <label className="button">
        <input type="file" className="mq-hidden" accept="application/json,.json" onChange={upload} />
        {text}
      </label>
      {wrong && <Wrong text={wrong} />}
    </span>
  );
}

function Create() {
  const go = useNavigate();
  const [id, setId] = useState('');
  const [seed, setSeed] = useState('');
  const [now, setNow] = useState('');
  const [frozen, setFrozen] = useState(false);
  const call = calls.createWorld({
    ...(id && { id }),
    ...(seed && { seed: Number(seed) }),
    ...(now && { now: `${now.length === 16 ? `${now}:00` : now}+08:00` }),
    ...(frozen && { frozen }),
  });
  const visit = (made: WorldDetails) => go(pathOf('', made.id));
  return (
    <Panel
      title="Create a world"
      note="Every field may be left out. The same id and seed give the same credentials again."
    >
      <div className="fields">
        <Input label="Id" value={id} onChange={setId} placeholder="at random" />
        <Input
          label="Seed"
          value={seed}
          onChange={(text) => setSeed(text.replace(/\D/g, ''))}
          inputMode="numeric"
          placeholder="the default world's"
        />
        <Input
          label="Business time begins at"
          type="datetime-local"
          step="1"
          value={now}
          onChange={setNow}
          room="wide"
        />
      </div>
      <label className="tick">
        <input type="checkbox" checked={frozen} onChange={(event) => setFrozen(event.target.checked)} />
        Its clock stands until it is advanced or resumed
      </label>
      <div className="row">
        <Act kind="primary" call={call} done="Created" onDone={visit}>
          Create
        </Act>
        <Upload text="New world of a snapshot" call={calls.restore} done="Restored" onDone={visit} />
      </div>
      <Curl call={call} label="the call to create it" />
    </Panel>
  );
}

function Worlds({ shown }: { shown: string }) {
  const worlds = useAnswer<{ worlds: WorldInfo[] }>(calls.worlds(), { every: 15_000 });
  const go = useNavigate();
  return (
    <Panel title="Worlds" wide>
      <Answer of={worlds}>
        {(data) => (
          <Scroll label="Worlds">
            <table>
              <thead>
                <tr>
                  <th>World</th>
                  <th>Seed</th>
                  <th>Business time</th>
                  <th>Created</th>
                  <th>Expires in</th>
                  <th>
                    <span className="mq-hidden">Show</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.worlds.map((one) => (
                  <tr key={one.id} aria-current={one.id === shown || undefined}>
                    <td>
                      <code>{one.id}</code>
                    </td>
                    <td>{one.seed}</td>
                    <td>
                      {wallTime(one.now)} {one.frozen && <Tag tone="warn">frozen</Tag>}
                    </td>
                    <td>{wallTime(one.created)}</td>
                    <td>{one.expires_in_seconds === null ? 'never' : span(one.expires_in_seconds)}</td>
                    <td>
                      {one.id === shown ? (
                        <Tag>shown</Tag>
                      ) : (
                        <Button kind="text" size="small" onClick={() => go(pathOf('', one.id))}>
                          Show<span className="mq-hidden"> {one.id}</span>
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Answer>
      <Curl call={calls.worlds()} label="the call that lists them" />
    </Panel>
  );
}

const addressNames: Record<string, string> = {
  gateway: 'Legacy gateway',
  newmovie: 'newmovie',
  control: 'Control API',
  console: 'Console',
  phone: 'Phone',
  shop: 'Shop',
};

function Addresses({ details }: { details: WorldDetails }) {
  return (
    <Panel
      title="Addresses"
      note="SMS, messaging app and payment answer on the same port under the vendors' own host names."
    >
      <dl className="facts facts--long">
        {Object.entries(details.addresses).map(([name, address]) => (
          <Fact key={name} name={addressNames[name] ?? name}>
            <Value text={address} label={`the address: ${addressNames[name] ?? name}`} />
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}

/** The environment as lines for a shell; a key of several lines stays one value. */
export function environmentLines(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n');
}

function Credentials({ details }: { details: WorldDetails }) {
  const lines = environmentLines(details.environment);
  const groups = Object.entries(details.credentials).filter(([, group]) => !Array.isArray(group));
  return (
    <Panel
      title="Credentials"
      note="A call's credential says which world it is for. They protect nothing: every copy has the same ones."
      action={
        <span className="row">
          <span className="labelled">
            JSON <Copy text={JSON.stringify(details.credentials, null, 2)} label="all credentials as JSON" />
          </span>
          <span className="labelled">
            Environment <Copy text={lines} label="the environment of a shop" />
          </span>
        </span>
      }
    >
      {groups.map(([name, group]) => (
        <details key={name} className="group">
          <summary>{name}</summary>
          <dl className="facts facts--long">
            {Object.entries(group as Record<string, string>).map(([field, value]) => (
              <Fact key={field} name={field}>
                <Value text={value.includes('\n') ? `${value.split('\n')[0]} …` : value} label={`${name} ${field}`} />
              </Fact>
            ))}
          </dl>
        </details>
      ))}
      <details className="group">
        <summary>Environment of a shop</summary>
        <Scroll label="Environment">
          <pre className="block">{lines}</pre>
        </Scroll>
      </details>
      <Curl call={calls.world(details.id)} label="the call that reads them" />
    </Panel>
  );
}
