import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../ui/button';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { WorldDetails } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { span, wallTime } from '../parts/format';
import { Input } from '../parts/inputs';
import { Panel } from '../parts/panel';
import { pathOf } from '../parts/place';
import { Answer } from '../parts/states';
import { Table } from '../parts/table';
import { Upload } from '../parts/upload';

export function Create() {
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
      note="Every field is optional. The same id and seed always produce the same credentials."
    >
      <div className="fields">
        <Input label="Id" value={id} onChange={setId} placeholder="random" />
        <Input
          label="Seed"
          value={seed}
          onChange={(text) => setSeed(text.replace(/\D/g, ''))}
          inputMode="numeric"
          placeholder="as in the default world"
        />
        <Input
          label="Business time starts at (Shanghai time)"
          type="datetime-local"
          step="1"
          value={now}
          onChange={setNow}
          room="wide"
        />
      </div>
      <label className="tick mq-inline mq-touch mq-gap-8 mq-text-13">
        <input type="checkbox" checked={frozen} onChange={(event) => setFrozen(event.target.checked)} />
        Freeze the clock until it is resumed; it can still be advanced
      </label>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act kind="primary" call={call} done="Created" onDone={visit}>
          Create
        </Act>
        <Upload text="New world from a snapshot" call={calls.restore} done="Restored" onDone={visit} />
      </div>
      <Curl call={call} label="the call to create the world" />
      <Curls list={[{ name: 'New world from a snapshot', call: calls.restore('snapshot.world.json') }]} />
    </Panel>
  );
}

export function Worlds({ shown }: { shown: string }) {
  const worlds = useAnswer(calls.worlds(), { every: 15_000 });
  const go = useNavigate();
  return (
    <Panel title="Worlds" wide>
      <Answer of={worlds}>
        {(data) => (
          <Table label="Worlds">
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
          </Table>
        )}
      </Answer>
      <Curl call={calls.worlds()} label="the call that lists the worlds" />
    </Panel>
  );
}
