import '../parts/list.css';
import './inbox.css';
import { calls } from '../api/calls';
import type { Message } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Copy } from '../parts/copy';
import { Curl, Curls } from '../parts/curl';
import { plural, wallTime } from '../parts/format';
import { Input } from '../parts/inputs';
import { Panel, Title } from '../parts/panel';
import { useParam, useWorld } from '../parts/place';
import { Answer, Nothing } from '../parts/states';

export function Inbox() {
  const world = useWorld();
  const [phone, setPhone] = useParam('phone');
  const whole = phone.length === 11 ? phone : ''; // the API takes whole numbers
  const messages = useAnswer(calls.messages(world, whole), { keep: true });
  return (
    <>
      <Title text="Inbox" note="Every text message that the SMS provider took, as it comes." />
      <div className="bar">
        <Input
          label="Mobile number"
          value={phone}
          inputMode="tel"
          type="search"
          placeholder="every phone"
          onChange={(text) => setPhone(text.replace(/\D/g, ''))}
        />
        <Act
          call={calls.forgetMessages(world, whole)}
          done="Forgotten"
          icon="delete"
          disabled={!messages.data?.messages.length || phone !== whole}
          ask={{
            title: phone ? `Forget the messages to ${phone}?` : 'Forget every message?',
            message: "The provider's limits remember them.",
            confirmText: 'Forget',
          }}
        >
          Forget
        </Act>
      </div>
      <Answer of={messages}>
        {({ messages: all }) => {
          const list = all.filter((message) => message.phone.startsWith(phone));
          return list[0] ? (
            <div className="panels panels--one">
              <Latest message={list[0]} />
              <Panel title={plural(list.length, 'message')}>
                <ul className="list">
                  {list.map((message) => (
                    <li key={message.id} className="message">
                      <div className="message__head">
                        <strong>{message.code || '—'}</strong>
                        {message.code && <Copy text={message.code} label={`code ${message.code}`} />}
                        <code>{message.phone}</code>
                        <time>{wallTime(message.at)}</time>
                      </div>
                      <p lang="zh-CN">{message.text}</p>
                    </li>
                  ))}
                </ul>
              </Panel>
            </div>
          ) : (
            <Nothing
              text={phone ? `No message to ${phone} yet.` : 'No message yet. The next one appears here by itself.'}
            />
          );
        }}
      </Answer>
      <Curl call={calls.messages(world, whole)} label="the call that lists them" />
      <Curls
        list={[
          { name: 'Wait for the next', call: calls.nextMessage(world, whole, messages.data?.messages[0]?.id ?? 0) },
          { name: 'Forget', call: calls.forgetMessages(world, whole) },
        ]}
      />
    </>
  );
}

function Latest({ message }: { message: Message }) {
  return (
    <section className="latest" aria-label="The latest message">
      <p className="latest__to">
        To <code>{message.phone}</code>, {wallTime(message.at)}
      </p>
      {message.code ? (
        <p className="latest__code">
          <output aria-label="Latest code">{message.code}</output>
          <Copy text={message.code} label={`the latest code, ${message.code}`} />
        </p>
      ) : (
        <p className="latest__text" lang="zh-CN">
          {message.text}
        </p>
      )}
    </section>
  );
}
