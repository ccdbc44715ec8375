import './password-sheet.css';
import { type ReactNode, useState } from 'react';
import { ServiceLink } from '../shop/service-link';
import { Icon } from '../ui/icon';
import { Loading } from '../ui/loading';
import { NoticeBar } from '../ui/notice-bar';
import { NumberKeyboard } from '../ui/number-keyboard';
import { PasswordInput } from '../ui/password-input';
import { Popup } from '../ui/popup';

const digits = 6;

interface PasswordSheetProps {
  asking: boolean;
  error: string | undefined;
  /**
   * The message that says until when the password is locked. The sheet then does not ask for the password. Undefined if
   * it is not locked.
   */
  locked: string | undefined;
  busy: boolean;
  /** The sum to pay. */
  sum: ReactNode;
  /** Renders the link to the page that sets another password, with the given classes. */
  forgot: (look?: string) => ReactNode;
  /** A button to pay without the password, shown while the password is locked. */
  otherWay: ReactNode;
  submit: (pass: string) => unknown;
  close: (() => void) | undefined;
}

/**
 * Asks for the payment password and submits it when the sixth digit is typed. If it is locked, shows other ways to
 * continue.
 */
export function PasswordSheet({ asking, locked, close, otherWay, ...digits }: PasswordSheetProps) {
  return (
    <Popup open={asking} onClose={close} title={locked ? '支付密码已锁定' : '请输入支付密码'}>
      {asking && locked && <LockedPassword text={locked} forgot={digits.forgot} otherWay={otherWay} />}
      {asking && !locked && <Digits {...digits} />}
    </Popup>
  );
}

interface LockedPasswordProps extends Pick<PasswordSheetProps, 'forgot' | 'otherWay'> {
  text: string;
}

function LockedPassword({ text, forgot, otherWay }: LockedPasswordProps) {
  return (
    <div className="mq-paypass mq-column mq-gap-12">
      <div role="alert">
        <NoticeBar tone="bad" icon="warning">
          {text}
        </NoticeBar>
      </div>
      <p className="mq-second mq-centered">重设支付密码后，可立即使用福利卡付款。</p>
      {otherWay}
      {forgot('mq-button van-button van-button--default van-button--large van-button--block')}
      <ServiceLink />
    </div>
  );
}

type DigitsProps = Omit<PasswordSheetProps, 'asking' | 'locked' | 'close' | 'otherWay'>;

function Digits({ error, busy, sum, forgot, submit }: DigitsProps) {
  const [pass, setPass] = useState('');
  const [shown, setShown] = useState(false);

  async function type(next: string) {
    if (busy) return;
    setPass(next);
    if (next.length < digits) return;
    await submit(next);
    // After a rejected password the next try starts with empty boxes.
    setPass('');
  }

  return (
    <div className="mq-paypass mq-column mq-gap-12">
      <p className="mq-grid mq-items-middle mq-gap-4 mq-second">{sum}</p>
      <PasswordInput
        label="支付密码"
        value={pass}
        onChange={type}
        error={error}
        disabled={busy}
        shown={shown}
        autoFocus
        ownKeyboard
      />
      <div className="mq-paypass__foot mq-row mq-wrap mq-middle mq-touch mq-gap-16 mq-rows-0 mq-note">
        {busy ? (
          <Loading>支付中…</Loading>
        ) : (
          <>
            {forgot()}
            <button className="mq-inline mq-touch mq-gap-4 mq-ink" type="button" onClick={() => setShown(!shown)}>
              <Icon name={shown ? 'eye-off' : 'eye'} />
              {shown ? '隐藏密码' : '显示密码'}
            </button>
          </>
        )}
      </div>
      <NumberKeyboard value={pass} onChange={type} maxLength={digits} disabled={busy} />
    </div>
  );
}
