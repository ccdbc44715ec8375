import { Tag } from '../../ui/tag';
import { calls } from '../api/calls';
import type { Merchant, SigningKeys } from '../api/generated/control';
import { useAnswer } from '../api/queries';
import { Act } from '../parts/act';
import { Value } from '../parts/copy';
import { Curls } from '../parts/curl';
import { Fact, Facts } from '../parts/facts';
import { Panel } from '../parts/panel';
import { Answer } from '../parts/states';

const kinds: Record<SigningKeys, { name: string; means: string }> = {
  certificates: { name: 'Certificates', means: 'Answers and notifications are signed with a platform certificate.' },
  moving: {
    name: 'Moving to the public key',
    means:
      'An answer is signed with the key that its call requests; notifications alternate between the public key and a certificate.',
  },
  'public-key': {
    name: 'Public key',
    means:
      'Everything is signed with the public key. There are no platform certificates, as for merchants registered since autumn 2024.',
  },
};
const choices: SigningKeys[] = ['certificates', 'moving', 'public-key'];

export function MerchantPanel({ world }: { world: string }) {
  const merchant = useAnswer(calls.merchant(world));
  return <Answer of={merchant}>{(data) => <Account world={world} merchant={data} />}</Answer>;
}

function Account({ world, merchant }: { world: string; merchant: Merchant }) {
  return (
    <Panel
      title="Merchant"
      note="The account at the payment provider, with the files that merchants download from it."
      action={<Tag tone="ok">{kinds[merchant.signs_with].name}</Tag>}
    >
      <p>{kinds[merchant.signs_with].means}</p>
      <div className="row mq-flex mq-wrap mq-gap-8">
        {choices.map((choice) => (
          <Act
            key={choice}
            call={calls.signWith(world, choice)}
            done={`Changed to: ${kinds[choice].name}`}
            disabled={choice === merchant.signs_with}
          >
            {kinds[choice].name}
          </Act>
        ))}
      </div>
      <Facts long>
        <Fact name="Merchant number">
          <Value text={merchant.mchid} label="the merchant number" />
        </Fact>
        <Fact name="Serial of the merchant's certificate">
          <Value text={merchant.mch_serial} label="the serial of the merchant's certificate" />
        </Fact>
        <Fact name="Provider's public key id">
          <Value text={merchant.public_key_id} label="the id of the provider's public key" />
        </Fact>
      </Facts>
      <div className="row mq-flex mq-wrap mq-gap-8">
        <Download name="apiclient_cert.pem" text={merchant.apiclient_cert_pem} />
        <Download name="apiclient_key.pem" text={merchant.apiclient_key_pem} />
        {merchant.platform_certificates.map(({ serial, pem }) => (
          <Download key={serial} name={`wechatpay_${serial}.pem`} text={pem} />
        ))}
        <Download name="pub_key.pem" text={merchant.public_key_pem} />
      </div>
      <Curls
        list={[
          { name: 'Read', call: calls.merchant(world) },
          ...choices.map((choice) => ({ name: kinds[choice].name, call: calls.signWith(world, choice) })),
        ]}
      />
    </Panel>
  );
}

function Download({ name, text }: { name: string; text: string }) {
  return (
    <a
      className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium"
      href={`data:application/x-pem-file,${encodeURIComponent(text)}`}
      download={name}
    >
      {name}
    </a>
  );
}
