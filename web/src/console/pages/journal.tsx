import '../parts/entries.css';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { addressOf, send } from '../api/call';
import { calls, type JournalQuery } from '../api/calls';
import { verdictValues } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act, messageOf, Wrong } from '../parts/act';
import { Curl, Curls } from '../parts/curl';
import { Choice, Input, Select } from '../parts/inputs';
import { Title } from '../parts/panel';
import { useParams, useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';
import { Row } from './journal-entry';

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
  const entries = useAnswer(list, { keep: true });
  const last = entries.data?.last ?? 0;
  const har = calls.exportJournal(world, { ...filter, format: 'har' });
  const lines = calls.exportJournal(world, { ...filter, format: 'jsonl' });
  return (
    <>
      <Title
        text="Journal"
        note="Calls that the providers received and webhooks that they sent, live, newest first. A full journal drops its oldest entries."
      />
      <Filters world={world} filter={filter} onChange={setParams} />
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Waiting world={world} filter={filter} last={last} onFound={(id) => setParams({ entry: String(id) })} />
        <Act
          call={calls.clearJournal(world)}
          done="Cleared"
          icon="delete"
          disabled={last === 0}
          ask={{
            title: 'Clear the journal?',
            message: 'All entries are deleted. New entries continue the numbering.',
            confirmText: 'Clear',
          }}
        >
          Clear
        </Act>
        <a
          className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
          href={addressOf(har)}
          download="journal.har"
        >
          HAR
        </a>
        <a
          className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
          href={addressOf(lines)}
          download="journal.jsonl"
        >
          JSON lines
        </a>
      </div>
      <Answer of={entries} rows={10}>
        {(data) =>
          data.entries.length === 0 ? (
            <Nothing
              text={
                Object.values(filter).some(Boolean)
                  ? 'No call matches the filter.'
                  : 'No call yet. The next one appears here.'
              }
            />
          ) : (
            <>
              <ul className="entries mq-sheet mq-clip" aria-label="Calls">
                {data.entries.map((entry) => (
                  <Row
                    key={entry.id}
                    world={world}
                    entry={entry}
                    open={entry.id === open}
                    onToggle={() => setParams({ entry: entry.id === open ? '' : String(entry.id) })}
                  />
                ))}
              </ul>
              {data.entries.length === shown && (
                <p className="more mq-note">Only the newest {shown} are shown. Filter to find older ones.</p>
              )}
            </>
          )
        }
      </Answer>
      <Curl call={list} label="the call that lists the entries" />
      <Curls
        list={[
          { name: 'Wait for the next', call: calls.waitJournal(world, { ...filter, after: last }) },
          { name: 'Clear', call: calls.clearJournal(world) },
          { name: 'Export as HAR', call: har, into: 'journal.har' },
          { name: 'Export as JSON lines', call: lines, into: 'journal.jsonl' },
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
  const known = useAnswer(calls.faults(world));
  const providers = known.data?.providers ?? [];
  const operations = providers.find(({ name }) => name === filter.provider)?.operations ?? [];
  const any = (name: string) => ({ key: '', text: name });
  return (
    <div className="bar">
      <Select
        label="Provider"
        value={filter.provider}
        options={[any('all'), ...providers.map(({ name }) => ({ key: name, text: name }))]}
        onChange={(provider) => onChange({ provider, operation: '', entry: '' })}
      />
      <Select
        label="Operation"
        value={filter.operation}
        disabled={filter.provider === ''}
        options={[any('all'), ...operations.map((name) => ({ key: name, text: name }))]}
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
        options={[any('all'), ...verdictValues.map((verdict) => ({ key: verdict, text: verdict }))]}
      />
    </div>
  );
}

/**
 * A button that waits for the next call to a provider that matches the filter. It uses the long poll of the control API
 * (/sim/v1/journal/wait), as tests do.
 */
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
      const found = await send(calls.waitJournal(world, { ...filter, after: last }), { signal: stop.signal });
      const first = found.entries.at(-1);
      if (first) onFound(first.id);
      else toast('No matching call within 30 seconds.');
    } catch (failure) {
      if (!stop.signal.aborted) setWrong(messageOf(failure));
    } finally {
      setWaits(false);
    }
  }

  return (
    <span className="act mq-gap-4">
      <Button size="small" icon={waits ? 'close' : 'clock'} onClick={() => void wait()}>
        {waits ? 'Stop waiting' : 'Wait for the next'}
      </Button>
      {wrong && <Wrong text={wrong} />}
    </span>
  );
}
