import type { ReactNode } from 'react';
import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { Card, Magic } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Value } from '../parts/copy';
import { Curl } from '../parts/curl';
import { hundredths, plural, yuan } from '../parts/format';
import { Panel, Title } from '../parts/panel';
import { useWorld } from '../parts/place';
import { Answer } from '../parts/states';
import { Table } from '../parts/table';

export function CataloguePage() {
  const world = useWorld();
  const catalogue = useAnswer(calls.catalogue(world));
  return (
    <>
      <Title
        text="Catalogue"
        note="The demo shop's welfare cards and coupon codes, phone numbers and amounts with a fixed outcome, and the people in the messaging app."
      />
      <Curl call={calls.catalogue(world)} label="the call that reads the catalogue" />
      <Answer of={catalogue} rows={10}>
        {(data) => (
          <div className="panels panels--one mq-grid mq-gap-16">
            <Panel title="Welfare cards" note="Bind them in the shop with their number and password.">
              <Cards cards={data.cards} types={data.card_types} secret="Password" />
            </Panel>
            <Panel title="Coupon codes" note="Bind them in the shop with their code; they have no password.">
              <Cards cards={data.coupons} types={data.card_types} secret="Code" />
            </Panel>
            <Panel title="Phone numbers with a fixed outcome">
              <Magics name="Mobile number" list={data.phones} />
            </Panel>
            <Panel
              title="Amounts with a fixed outcome"
              note="A payment in the messaging app of exactly this amount always ends this way. Amounts are in fen (1/100 yuan)."
            >
              <Magics name="Amount" list={data.amounts} also={(value) => yuan(Number(value))} />
            </Panel>
            <Panel title="People in the messaging app" note="Choose one on the phone page. Any other openid works too.">
              <Table label="People">
                <thead>
                  <tr>
                    <th>openid</th>
                    <th>Name</th>
                    <th>Note</th>
                  </tr>
                </thead>
                <tbody>
                  {data.openids.map((person) => (
                    <tr key={person.openid}>
                      <td>
                        <Value text={person.openid} label={`the openid of ${person.name}`} />
                      </td>
                      <td lang="zh-CN">{person.name}</td>
                      <td>{person.note}</td>
                    </tr>
                  ))}
                </tbody>
              </Table>
            </Panel>
          </div>
        )}
      </Answer>
    </>
  );
}

function expiry(days: number): ReactNode {
  if (days < 0) return <Tag tone="bad">expired</Tag>;
  if (days < 30) return <Tag tone="warn">in {plural(days, 'day')}</Tag>;
  return `in ${plural(days, 'day')}`;
}

function Cards({ cards, types, secret }: { cards: Card[]; types: Record<string, string>; secret: string }) {
  return (
    <Table label={secret === 'Code' ? 'Coupon codes' : 'Welfare cards'}>
      <thead>
        <tr>
          <th>Number</th>
          <th>{secret}</th>
          <th>Type</th>
          <th className="number">Points</th>
          <th>Expires</th>
          <th>Note</th>
        </tr>
      </thead>
      <tbody>
        {cards.map((card) => (
          <tr key={card.kahao}>
            <td>
              <Value text={card.kahao} label={`card number ${card.kahao}`} />
            </td>
            <td>
              <Value text={card.pass} label={`${secret.toLowerCase()} ${card.pass}`} />
            </td>
            <td>
              <span lang="zh-CN">{types[String(card.pid)]}</span> <small>pid {card.pid}</small>
            </td>
            <td className="number">{hundredths(card.points)}</td>
            <td>{expiry(card.expires_in_days)}</td>
            <td className="text">{card.note}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Magics({ name, list, also }: { name: string; list: Magic[]; also?: (value: string) => string }) {
  return (
    <Table label={name}>
      <thead>
        <tr>
          <th>{name}</th>
          <th>What happens</th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ value, effect }) => (
          <tr key={value}>
            <td>
              <Value text={value} label={value} />
              {also && <small> {also(value)}</small>}
            </td>
            <td className="text">{effect}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
