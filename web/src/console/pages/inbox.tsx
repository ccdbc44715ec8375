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
  const complete = phone.length === 11 ? phone : ''; // the API accepts complete numbers only
  const messages = useAnswer(calls.messages(world, complete), { keep: true });
  return (
    <>
      <Title text="Inbox" note="Delivered text messages, live." />
      <div className="bar">
        <Input
          label="Mobile number"
          value={phone}
          inputMode="tel"
          type="search"
          placeholder="all numbers"
          onChange={(text) => setPhone(text.replace(/\D/g, ''))}
        />
        <Act
          call={calls.forgetMessages(world, complete)}
          done="Deleted"
          icon="delete"
          disabled={!messages.data?.messages.length || phone !== complete}
          ask={{
            title: phone ? `Delete the messages to ${phone}?` : 'Delete all messages?',
            message: "They still count towards the provider's limits.",
            confirmText: 'Delete',
          }}
        >
          Delete
        </Act>
      </div>
      <Answer of={messages}>
        {({ messages: all }) => {
          const list = all.filter((message) => message.phone.startsWith(phone));
          return list[0] ? (
            <div className="panels panels--one mq-grid mq-gap-16">
              <Latest message={list[0]} />
              <Panel title={plural(list.length, 'message')}>
                <ul className="list">
                  {list.map((message) => (
                    <li key={message.id} className="message">
                      <div className="mq-row mq-wrap mq-gap-10 mq-rows-2">
                        <strong className="mq-text-16">{message.code || '—'}</strong>
                        {message.code && <Copy text={message.code} label={`code ${message.code}`} />}
                        <code>{message.phone}</code>
                        <time className="mq-push mq-note">{wallTime(message.at)}</time>
                      </div>
                      <p className="mq-second" lang="zh-CN">
                        {message.text}
                      </p>
                    </li>
                  ))}
                </ul>
              </Panel>
            </div>
          ) : (
            <Nothing text={phone ? `No messages to ${phone} yet.` : 'No messages yet. The next one appears here.'} />
          );
        }}
      </Answer>
      <Curl call={calls.messages(world, complete)} label="the call that lists the messages" />
      <Curls
        list={[
          {
            name: 'Wait for the next code',
            call: calls.nextMessage(world, complete, messages.data?.messages[0]?.id ?? 0),
          },
          { name: 'Delete', call: calls.forgetMessages(world, complete) },
        ]}
      />
    </>
  );
}

function Latest({ message }: { message: Message }) {
  return (
    <section className="latest" aria-label="The latest message">
      <p className="mq-note">
        To <code>{message.phone}</code>, {wallTime(message.at)}
      </p>
      {message.code ? (
        <p className="latest__code mq-row mq-gap-12 mq-bold">
          <output aria-label="Latest code">{message.code}</output>
          <Copy text={message.code} label={`the latest code, ${message.code}`} />
        </p>
      ) : (
        <p className="mq-text-16" lang="zh-CN">
          {message.text}
        </p>
      )}
    </section>
  );
}
