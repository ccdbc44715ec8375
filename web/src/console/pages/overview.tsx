import { useNavigate } from 'react-router';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { WorldDetails } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Value } from '../parts/copy';
import { Curls } from '../parts/curl';
import { Fact, Facts } from '../parts/facts';
import { span, wallTime } from '../parts/format';
import { Panel, Title } from '../parts/panel';
import { pathOf, useWorld } from '../parts/place';
import { Answer } from '../parts/states';
import { Upload } from '../parts/upload';
import { Credentials } from './credentials';
import { MerchantPanel } from './merchant';
import { MiniProgramPanel } from './mini-program';
import { Create, Worlds } from './worlds';

export function Overview() {
  const world = useWorld();
  const details = useAnswer(calls.world(world));
  return (
    <>
      <Title
        text="Overview"
        note="Every provider that a shop needs, simulated. A world is an isolated sandbox with its own seats, orders, money, messages, clock and faults."
      />
      <div className="panels mq-grid mq-gap-16">
        <Answer of={details}>{(data) => <ThisWorld details={data} />}</Answer>
        <Create />
        <Worlds shown={world} />
        <Answer of={details}>{(data) => <Addresses details={data} />}</Answer>
        <Answer of={details}>{(data) => <Credentials details={data} />}</Answer>
        <MerchantPanel world={world} />
        <MiniProgramPanel world={world} />
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
      <Facts>
        <Fact name="Id">
          <Value text={id} label="the id" />
        </Fact>
        <Fact name="Seed">{String(details.seed)}</Fact>
        <Fact name="Business time">{wallTime(details.now)}</Fact>
        <Fact name="Created">{wallTime(details.created)}</Fact>
        <Fact name="Expires">
          {isDefault
            ? 'never'
            : `after ${span(details.expires_in_seconds ?? 0)} of real time without a call or an open console`}
        </Fact>
        {details.apps.length > 0 && <Fact name="Other ports that the phone can open">{details.apps.join(', ')}</Fact>}
      </Facts>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Act call={calls.fork(id)} done="Forked" onDone={visit}>
          Fork
        </Act>
        <Act
          call={calls.reset(id)}
          done="Reset"
          ask={{
            title: `Reset ${id}?`,
            message:
              'Deletes all orders, payments, refunds, messages, faults, stubs, webhook targets and journal entries. The clock, seats and merchant settings return to their initial state.',
            confirmText: 'Reset',
          }}
        >
          Reset
        </Act>
        <a
          className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
          href={`/sim/v1/worlds/${id}/snapshot`}
          download={`${id}.world.json`}
        >
          Download snapshot
        </a>
        <Upload text="Restore from a snapshot" call={(file) => calls.restoreInto(id, file)} done="Restored" />
        {!isDefault && (
          <Act
            kind="plain"
            call={calls.deleteWorld(id)}
            done="Deleted"
            onDone={() => go('/')}
            ask={{
              title: `Delete ${id}?`,
              message: 'Everything in it is lost, and its credentials will no longer be accepted.',
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
          { name: 'Restore from a snapshot', call: calls.restoreInto(id, `${id}.world.json`) },
          ...(isDefault ? [] : [{ name: 'Delete', call: calls.deleteWorld(id) }]),
        ]}
      />
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
      note="The ports of the simulators also serve SMS, the messaging app, payments and the captcha, under the vendors' host names."
    >
      <Facts long>
        {Object.entries(details.addresses).map(([name, address]) => (
          <Fact key={name} name={addressNames[name] ?? name}>
            <Value text={address} label={`the address: ${addressNames[name] ?? name}`} />
          </Fact>
        ))}
      </Facts>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <a
          className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
          href="/sim/v1/ca.pem"
          download="marquee-simulators-ca.pem"
        >
          Download ca.pem
        </a>
      </div>
    </Panel>
  );
}
