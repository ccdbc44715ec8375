import './curl.css';
import { type Call, curlOf } from '../api/call';
import { Copy } from './copy';
import { Fold } from './fold';

/** Shows a call of the control API as a curl command, with a copy button. */
export function Curl({ call, into, label = 'the call' }: { call: Call; into?: string; label?: string }) {
  const line = curlOf(call, window.location.origin, into);
  return (
    <div className="curl mq-row mq-shrink mq-gap-4 mq-sunken">
      <code className="mq-fill mq-small">{line}</code>
      <Copy text={line} label={label} />
    </div>
  );
}

export interface NamedCall {
  name: string;
  call: Call;
  into?: string;
}

/** Shows several calls of the control API as curl commands. */
export function Curls({ list }: { list: NamedCall[] }) {
  return (
    <Fold className="curls mq-text-13" line={`As API calls (${list.length})`}>
      <dl className="mq-grid mq-gap-8">
        {list.map(({ name, call, into }) => (
          <div key={name}>
            <dt className="mq-small">{name}</dt>
            <dd>
              <Curl call={call} label={`the call: ${name}`} {...(into === undefined ? {} : { into })} />
            </dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
