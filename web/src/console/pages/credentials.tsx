import './credentials.css';
import { calls } from '../api/calls';
import type { WorldDetails } from '../api/generated/control';
import { Copy, Value } from '../parts/copy';
import { Curl } from '../parts/curl';
import { Fact, Facts } from '../parts/facts';
import { Fold } from '../parts/fold';
import { Panel, Scroll } from '../parts/panel';

/** Formats environment variables as export commands for a shell, with each value in single quotes. */
export function environmentLines(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n');
}

/** Returns the first line of a text of several lines, such as a PEM key. */
function firstLine(text: string): string {
  const [first, ...more] = text.split('\n');
  return more.length > 0 ? `${first} …` : text;
}

export function Credentials({ details }: { details: WorldDetails }) {
  const lines = environmentLines(details.environment);
  const groups = Object.entries(details.credentials).filter(([, group]) => !Array.isArray(group));
  return (
    <Panel
      title="Credentials"
      note="The credential in a call selects the world. Credentials are not secret: they follow from the world's id and seed."
      action={
        <span className="row mq-flex mq-wrap mq-gap-8">
          <span className="mq-inline mq-gap-2 mq-note">
            JSON <Copy text={JSON.stringify(details.credentials, null, 2)} label="all credentials as JSON" />
          </span>
          <span className="mq-inline mq-gap-2 mq-note">
            Environment <Copy text={lines} label="the shop's environment" />
          </span>
        </span>
      }
    >
      <div>
        {groups.map(([name, group]) => (
          <Fold key={name} className="group" line={name}>
            <Facts long>
              {Object.entries(group as Record<string, string | number>).map(([field, value]) => (
                <Fact key={field} name={field}>
                  <Value text={firstLine(String(value))} label={`${name} ${field}`} />
                </Fact>
              ))}
            </Facts>
          </Fold>
        ))}
        <Fold className="group" line="Shop environment">
          <Scroll label="Environment">
            <pre className="block mq-sunken mq-text-12">{lines}</pre>
          </Scroll>
        </Fold>
      </div>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <a
          className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
          href={`data:application/json,${encodeURIComponent(JSON.stringify(details.credentials, null, 2))}`}
          download={`${details.id}.credentials.json`}
        >
          Download JSON
        </a>
        <a
          className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
          href={`data:text/plain,${encodeURIComponent(`${lines}\n`)}`}
          download={`${details.id}.env.sh`}
        >
          Download environment variables
        </a>
      </div>
      <Curl call={calls.world(details.id)} label="the call that reads the credentials" />
    </Panel>
  );
}
