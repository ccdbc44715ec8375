import './journal-entry.css';
import { useState } from 'react';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import { Tag, type Tone } from '../../ui/tag';
import { calls } from '../api/calls';
import type { Delivery, Entry, Verdict } from '../api/generated/control';
import { Act } from '../parts/act';
import { Copy } from '../parts/copy';
import { Curl } from '../parts/curl';
import { messageOfDeliveries } from '../parts/deliveries';
import { Difference } from '../parts/difference';
import { Fact, Facts } from '../parts/facts';
import { clockTime, plural, wallTime } from '../parts/format';
import { Scroll } from '../parts/panel';
import { readable } from '../parts/readable';

const tones: Record<Verdict, Tone> = {
  ok: 'ok',
  refused: 'bad',
  fault: 'warn',
  sent: 'ok',
  failed: 'bad',
  'not-simulated': 'bad',
  stubbed: 'warn',
};

/** A recorded call in the list. It shows its details when it is open. */
export function Row({
  world,
  entry,
  open,
  onToggle,
}: {
  world: string;
  entry: Entry;
  open: boolean;
  onToggle: () => void;
}) {
  const id = `entry-${entry.id}`;
  return (
    <li className={cx('entry', open && 'entry--open')}>
      <button
        type="button"
        className="entry__head mq-grid mq-align-center"
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
      >
        <time className="mq-note">{clockTime(entry.at)}</time>
        <span className="entry__what mq-grid mq-shrink">
          <strong className="mq-strong">{entry.operation || `${entry.method} ${entry.path}`}</strong>
          <span className="mq-small">{entry.provider}</span>
        </span>
        <span className="entry__why mq-clip mq-note mq-nowrap">{entry.reason ?? ''}</span>
        {entry.fault && <Tag tone="warn">{entry.fault.split(' ').slice(1).join(' ') || entry.fault}</Tag>}
        <span className="entry__status">{entry.status || '—'}</span>
        <Tag tone={tones[entry.verdict]}>{entry.verdict}</Tag>
        <Icon name={open ? 'up' : 'down'} />
      </button>
      {open && (
        <div id={id} className="entry__body mq-grid mq-gap-16 mq-line-above">
          <Detail world={world} entry={entry} />
        </div>
      )}
    </li>
  );
}

function Detail({ world, entry }: { world: string; entry: Entry }) {
  const again = calls.resend(world, { entry: entry.id });
  return (
    <>
      <Facts>
        <Fact name="Entry">#{entry.id}</Fact>
        <Fact name="Business time">{wallTime(entry.at)}</Fact>
        <Fact name="Real time">{wallTime(entry.wire_at)}</Fact>
        <Fact name="Took">{entry.millis} ms</Fact>
        <Fact name="Call">
          <code>
            {entry.method} {entry.path}
          </code>
        </Fact>
        {entry.fault && <Fact name="Fault">#{entry.fault}</Fact>}
        {entry.subject && <Fact name="About">{entry.subject}</Fact>}
        {entry.target && <Fact name="Copy for target">#{entry.target}</Fact>}
      </Facts>
      {entry.subject && (
        <>
          <div className="row mq-flex mq-wrap mq-gap-8">
            <Act call={again} done={messageOfDeliveries} icon="refresh">
              Resend
            </Act>
          </div>
          <Curl call={again} label="the call to resend the webhook" />
        </>
      )}
      {entry.signature ? (
        <Signature signature={entry.signature} />
      ) : (
        entry.reason && <p className="reason mq-bad mq-text-13">{entry.reason}</p>
      )}
      {entry.delivery && <Sent delivery={entry.delivery} />}
      <div className="payloads mq-grid mq-gap-12">
        <Text name="Request" text={entry.request} />
        <Text name={`Answer, ${entry.status || 'none'}`} text={entry.answer} />
      </div>
    </>
  );
}

/** Shows a webhook exactly as it was sent, so that a receiver can check each step of its verification. */
function Sent({ delivery: { headers, body, key_id, over } }: { delivery: Delivery }) {
  return (
    <section className="signature mq-grid mq-shrink mq-gap-12" aria-label="The delivery">
      <Facts>{key_id && <Fact name="Key id">{key_id}</Fact>}</Facts>
      <Text
        name="Headers"
        text={Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      />
      <Text name="Raw body" text={body} raw />
      {over ? <Text name="Text to sign" text={over} raw /> : <p className="mq-note">This webhook is not signed.</p>}
    </section>
  );
}

function Text({ name, text, raw }: { name: string; text: string; raw?: boolean }) {
  return (
    <figure className="payload mq-shrink">
      <figcaption>
        {name} {text && <Copy text={text} label={name.toLowerCase()} />}
      </figcaption>
      {text ? (
        <Scroll label={name}>
          <pre className="block mq-sunken mq-text-12">{raw ? text : readable(text)}</pre>
        </Scroll>
      ) : (
        <p className="mq-faint mq-text-13">empty</p>
      )}
    </figure>
  );
}

/** Explains a wrong signature: both signatures, the signed text, and a field to compare it with another text. */
function Signature({ signature }: { signature: NonNullable<Entry['signature']> }) {
  const [own, setOwn] = useState('');
  return (
    <section className="signature mq-grid mq-shrink mq-gap-12" aria-label="The signature">
      <p className="reason mq-bad mq-text-13">
        The signature does not match.{' '}
        {signature.expected
          ? ''
          : 'It is made with a private key, so the expected one cannot be shown. Compare the signed texts instead.'}
      </p>
      {signature.expected && (
        <Difference names={['Expected signature', 'Received signature']} texts={[signature.expected, signature.got]} />
      )}
      <label className="mq-grid mq-gap-4 mq-small">
        <span>Paste the text that your client signed, to compare</span>
        <textarea rows={2} value={own} spellCheck={false} onChange={(event) => setOwn(event.target.value)} />
      </label>
      {own ? (
        <Difference names={['Text to sign', 'Text your client signed']} texts={[signature.over, own]} />
      ) : (
        <Text name="Text to sign" text={signature.over} />
      )}
      <p className="mq-note">The text to sign has {plural(signature.over.length, 'character')}.</p>
    </section>
  );
}
