import { Button } from '../../ui/button';
import { copy } from '../../ui/copy';
import { CopyButton } from '../../ui/copyable';
import type { GoodsCode } from '../../wire/generated/GoodsCode';
import { linkOf } from './show-card-order';

interface VirtualCodesProps {
  codes: readonly GoodsCode[];
  /** The date until which the codes can be used; empty if it is not known. */
  until: string;
}

/** The purchased codes, each with a password or a link. */
export function VirtualCodes({ codes, until }: VirtualCodesProps) {
  return (
    <section className="mq-card mq-grid mq-gap-10" aria-labelledby="codes">
      <header className="mq-line mq-between mq-gap-12 mq-rows-0">
        <h3 id="codes">卡密信息</h3>
        {until && <span className="mq-small">有效期至 {until}</span>}
      </header>
      {codes.map((code) => (
        <VirtualCode key={code.num} code={code} />
      ))}
      <p className="mq-small">请妥善保管卡密，切勿泄露给他人。</p>
    </section>
  );
}

function VirtualCode({ code }: { code: GoodsCode }) {
  const link = linkOf(code);
  return (
    <>
      <dl className="mq-sunken mq-divided mq-px-16">
        <CodeLine name="卡号" value={code.num} />
        {!link && code.pass && <CodeLine name="密码" value={code.pass} />}
      </dl>
      {link && (
        <div className="mq-flex mq-wrap mq-gap-8">
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className="van-button van-button--primary mq-button mq-row mq-middle mq-grow"
          >
            去兑换
          </a>
          <Button className="mq-grow" icon="copy" aria-label={`复制链接 ${code.pass}`} onClick={() => copy(code.pass)}>
            复制链接
          </Button>
        </div>
      )}
    </>
  );
}

function CodeLine({ name, value }: { name: string; value: string }) {
  return (
    <div className="mq-py-8">
      <dt className="mq-small">{name}</dt>
      <dd className="mq-copyable mq-row mq-between mq-gap-12">
        <span className="mq-name">{value}</span>
        <CopyButton name={name} value={value} />
      </dd>
    </div>
  );
}
