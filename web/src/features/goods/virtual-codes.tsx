import { copy } from '../../ui/copy';
import { Icon } from '../../ui/icon';
import { type Code, linkOf } from './show-card-order';

/** The purchased codes, each with a password or a link. */
export function VirtualCodes({ codes }: { codes: readonly Code[] }) {
  return (
    <section className="mq-card codes" aria-labelledby="codes">
      <h3 id="codes">卡密信息</h3>
      {codes.map((code) => (
        <VirtualCode key={code.num} code={code} />
      ))}
      <p className="codes__note">请妥善保管卡密，切勿泄露给他人。</p>
    </section>
  );
}

function VirtualCode({ code }: { code: Code }) {
  const link = linkOf(code);
  return (
    <>
      <dl className="code">
        <CodeLine name="卡号" value={code.num} />
        {link ? (
          <div>
            <dt>链接</dt>
            <dd>
              <a href={link} target="_blank" rel="noopener noreferrer">
                {code.pass}
              </a>
              <CopyButton name="链接" value={code.pass} />
            </dd>
          </div>
        ) : (
          code.pass && <CodeLine name="密码" value={code.pass} />
        )}
      </dl>
      {link && (
        <a href={link} target="_blank" rel="noopener noreferrer" className="code__redeem">
          去兑换
        </a>
      )}
    </>
  );
}

function CodeLine({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span>{value}</span>
        <CopyButton name={name} value={value} />
      </dd>
    </div>
  );
}

function CopyButton({ name, value }: { name: string; value: string }) {
  return (
    <button type="button" aria-label={`复制${name} ${value}`} onClick={() => copy(value)}>
      <Icon name="copy" />
      复制
    </button>
  );
}
