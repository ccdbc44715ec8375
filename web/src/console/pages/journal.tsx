import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import { Tag, type Tone } from '../../ui/tag';
import { toast } from '../../ui/toast';
import { send } from '../api/call';
import { calls, type JournalQuery } from '../api/calls';
import { useAnswer } from '../api/queries';
import { type Entry, type FaultList, type Verdict, verdicts } from '../api/types';
import { Act, says, Wrong } from '../parts/act';
import { Copy } from '../parts/copy';
import { Curl, Curls } from '../parts/curl';
import { Difference } from '../parts/difference';
import { clockTime, plural, wallTime } from '../parts/format';
import { Choice, Input, Select } from '../parts/inputs';
import { Scroll, Title } from '../parts/panel';
import { useParams, useWorld } from '../parts/place';
import { readable } from '../parts/readable';
import { Answer, Nothing } from '../parts/states';

const tones: Record<Verdict, Tone> = { ok: 'ok', refused: 'bad', fault: 'warn', sent: 'ok', failed: 'bad' };
const shown = 100;

export function Journal() {
  const world = useWorld();
  const [params, setParams] = useParams();
  const filter: JournalQuery = {
    provider: params.get('provider') ?? '',
    operation: params.get('operation') ?? '',
    verdict: params.get('verdict') ?? '',
    contains: params.get('contains') ?? '',
  };
  const open = Number(params.get('entry')) || 0;
  const list = calls.journal(world, { ...filter, limit: shown });
  const entries = useAnswer<{ entries: Entry[]; last: number }>(list, { keep: true });
  const last = entries.data?.last ?? 0;
  return (
    <>
      <Title
        text="Journal"
        note="Every call the providers saw and every notify they sent, the newest first, as it happens."
      />
      <Filters world={world} filter={filter} onChange={setParams} />
      <div className="row">
        <Waiting world={world} filter={filter} last={last} onFound={(id) => setParams({ entry: String(id) })} />
        <Act
          call={calls.clearJournal(world)}
          done="Cleared"
          icon="delete"
          disabled={last === 0}
          ask={{ title: 'Forget every entry?', message: 'Ids go on.', confirmText: 'Clear' }}
        >
          Clear
        </Act>
      </div>
      <Answer of={entries} rows={10}>
        {(data) =>
          data.entries.length === 0 ? (
            <Nothing
              text={
                Object.values(filter).some(Boolean)
                  ? 'No call fits the filter.'
                  : 'No call yet. The next one appears here by itself.'
              }
            />
          ) : (
            <>
              <ul className="entries" aria-label="Calls">
                {data.entries.map((entry) => (
                  <Row
                    key={entry.id}
                    entry={entry}
                    open={entry.id === open}
                    onToggle={() => setParams({ entry: entry.id === open ? '' : String(entry.id) })}
                  />
                ))}
              </ul>
              {data.entries.length === shown && (
                <p className="more">The newest {shown} are shown; filter to find older ones.</p>
              )}
            </>
          )
        }
      </Answer>
      <Curl call={list} label="the call that lists them" />
      <Curls
        list={[
          { name: 'Wait for the next', call: calls.waitJournal(world, { ...filter, after: last }) },
          { name: 'Clear', call: calls.clearJournal(world) },
        ]}
      />
    </>
  );
}

function Filters({
  world,
  filter,
  onChange,
}: {
  world: string;
  filter: JournalQuery;
  onChange: (values: Record<string, string>) => void;
}) {
  const known = useAnswer<FaultList>(calls.faults(world));
  const providers = known.data?.providers ?? [];
  const operations = providers.find(({ name }) => name === filter.provider)?.operations ?? [];
  const any = (name: string) => ({ key: '', text: name });
  return (
    <div className="bar">
      <Select
        label="Provider"
        value={filter.provider}
        options={[any('every one'), ...providers.map(({ name }) => ({ key: name, text: name }))]}
        onChange={(provider) => onChange({ provider, operation: '', entry: '' })}
      />
      <Select
        label="Operation"
        value={filter.operation}
        disabled={filter.provider === ''}
        options={[any('every one'), ...operations.map((name) => ({ key: name, text: name }))]}
        onChange={(operation) => onChange({ operation, entry: '' })}
      />
      <Input
        label="Contains"
        type="search"
        value={filter.contains}
        placeholder="in path, request, answer, reason"
        onChange={(contains) => onChange({ contains, entry: '' })}
        room="wide"
      />
      <Choice
        label="Verdict"
        value={filter.verdict}
        onChange={(verdict) => onChange({ verdict, entry: '' })}
        options={[any('all'), ...verdicts.map((verdict) => ({ key: verdict, text: verdict }))]}
      />
    </div>
  );
}

/** Waits for the next call that fits, as a test would. */
function Waiting({
  world,
  filter,
  last,
  onFound,
}: {
  world: string;
  filter: JournalQuery;
  last: number;
  onFound: (id: number) => void;
}) {
  const [wrong, setWrong] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [waits, setWaits] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  async function wait() {
    if (waits) {
      running.current?.abort();
      return;
    }
    const stop = new AbortController();
    running.current = stop;
    setWaits(true);
    setWrong(undefined);
    try {
      const found = await send<{ entries: Entry[]; timed_out: boolean }>(
        calls.waitJournal(world, { ...filter, after: last }),
        { signal: stop.signal },
      );
      const first = found.entries.at(-1);
      if (first) onFound(first.id);
      else toast('No such call in 30 seconds.');
    } catch (failure) {
      if (!stop.signal.aborted) setWrong(says(failure));
    } finally {
      setWaits(false);
    }
  }

  return (
    <span className="act">
      <Button size="small" icon={waits ? 'close' : 'clock'} onClick={() => void wait()}>
        {waits ? 'Stop waiting' : 'Wait for the next'}
      </Button>
      {wrong && <Wrong text={wrong} />}
    </span>
  );
}

function Row({ entry, open, onToggle }: { entry: Entry; open: boolean; onToggle: () => void }) {
  const id = `entry-${entry.id}`;
  return (
    <li className={cx('entry', open && 'entry--open')}>
      <button type="button" className="entry__head" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <time>{clockTime(entry.at)}</time>
        <span className="entry__what">
          <strong>{entry.operation || `${entry.method} ${entry.path}`}</strong>
          <span>{entry.provider}</span>
        </span>
        <span className="entry__why">{entry.reason ?? ''}</span>
        {entry.fault && <Tag tone="warn">{entry.fault.split(' ').slice(1).join(' ') || entry.fault}</Tag>}
        <span className="entry__status">{entry.status || '—'}</span>
        <Tag tone={tones[entry.verdict]}>{entry.verdict}</Tag>
        <Icon name={open ? 'up' : 'down'} />
      </button>
      {open && (
        <div id={id} className="entry__body">
          <Detail entry={entry} />
        </div>
      )}
    </li>
  );
}

function Detail({ entry }: { entry: Entry }) {
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Entry</dt>
          <dd>#{entry.id}</dd>
        </div>
        <div>
          <dt>Business time</dt>
          <dd>{wallTime(entry.at)}</dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>{entry.millis} ms</dd>
        </div>
        <div>
          <dt>Call</dt>
          <dd>
            <code>
              {entry.method} {entry.path}
            </code>
          </dd>
        </div>
        {entry.fault && (
          <div>
            <dt>Planned fault</dt>
            <dd>#{entry.fault}</dd>
          </div>
        )}
      </dl>
      {entry.signature ? (
        <Signature signature={entry.signature} />
      ) : (
        entry.reason && <p className="reason">{entry.reason}</p>
      )}
      <div className="sides">
        <Text name="Request" text={entry.request} />
        <Text name={`Answer, ${entry.status || 'none'}`} text={entry.answer} />
      </div>
    </>
  );
}

function Text({ name, text }: { name: string; text: string }) {
  return (
    <figure className="side">
      <figcaption>
        {name} {text && <Copy text={text} label={name.toLowerCase()} />}
      </figcaption>
      {text ? (
        <Scroll label={name}>
          <pre className="block">{readable(text)}</pre>
        </Scroll>
      ) : (
        <p className="side__none">nothing</p>
      )}
    </figure>
  );
}

/** Why a signature does not fit: both, the text under it, and room to compare that with what was signed instead. */
function Signature({ signature }: { signature: NonNullable<Entry['signature']> }) {
  const [own, setOwn] = useState('');
  return (
    <section className="signature" aria-label="The signature">
      <p className="reason">
        The signature does not fit.{' '}
        {signature.expected
          ? ''
          : 'It is made with a private key, so the right one cannot be shown; compare the texts under it.'}
      </p>
      {signature.expected && (
        <Difference names={['Expected signature', 'Received signature']} texts={[signature.expected, signature.got]} />
      )}
      <label className="signature__own">
        <span>Paste the text that your client signed, to compare</span>
        <textarea rows={2} value={own} spellCheck={false} onChange={(event) => setOwn(event.target.value)} />
      </label>
      {own ? (
        <Difference names={['Text to sign', 'Text your client signed']} texts={[signature.over, own]} />
      ) : (
        <Text name="Text to sign" text={signature.over} />
      )}
      <p className="panel__note">{plural(signature.over.length, 'character')} are to be signed.</p>
    </section>
  );
}
