import { useState } from 'react';
import { calls } from '../api/calls';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Value } from '../parts/copy';
import { Curl } from '../parts/curl';
import { Fact, Facts } from '../parts/facts';
import { Select } from '../parts/inputs';
import { Panel } from '../parts/panel';

/**
 * Issues a code as a mini-program of the messaging app gets it on the phone of a simulated person: for a login or for
 * the phone number.
 */
export function MiniProgramPanel({ world }: { world: string }) {
  const catalogue = useAnswer(calls.catalogue(world));
  const people = catalogue.data?.openids ?? [];
  const [chosen, setChosen] = useState('');
  const [purpose, setPurpose] = useState<'login' | 'phone'>('login');
  const [code, setCode] = useState('');
  const openid = chosen || people[0]?.openid || '';
  const call = calls.miniProgramCode(world, openid, purpose);
  return (
    <Panel
      title="Mini-program"
      note="Makes the code that a mini-program gets from wx.login or getPhoneNumber. The mini-program's server exchanges it with jscode2session or getuserphonenumber. A code works once, within 5 minutes of business time."
    >
      <form className="fields" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="Person"
          value={openid}
          options={people.map((person) => ({ key: person.openid, text: person.name }))}
          onChange={setChosen}
        />
        <Select
          label="For"
          value={purpose}
          options={[
            { key: 'login', text: 'wx.login' },
            { key: 'phone', text: 'getPhoneNumber' },
          ]}
          onChange={(key) => setPurpose(key === 'phone' ? 'phone' : 'login')}
        />
        <Act
          call={call}
          done="Code made"
          disabled={openid === ''}
          onDone={(answer: { code: string }) => setCode(answer.code)}
        >
          Make a code
        </Act>
      </form>
      {code && (
        <Facts long>
          <Fact name="Code">
            <Value text={code} label="the code" />
          </Fact>
        </Facts>
      )}
      <Curl call={call} label="the call to make a code" />
    </Panel>
  );
}
