import './password-sheet.css';
import { type ReactNode, useState } from 'react';
import { Icon } from '../ui/icon';
import { Loading } from '../ui/loading';
import { NumberKeyboard } from '../ui/number-keyboard';
import { PasswordInput } from '../ui/password-input';
import { Popup } from '../ui/popup';

const digits = 6;

interface PasswordSheetProps {
  asking: boolean;
  error: string | undefined;
  busy: boolean;
  /** What is paid for with the password. */
  sum: ReactNode;
  /** The way out for who does not know it. */
  forgot: ReactNode;
  submit: (pass: string) => unknown;
  close: (() => void) | undefined;
}

/** Asks for the payment password; the sixth digit sends it. */
export function PasswordSheet({ asking, error, busy, sum, forgot, submit, close }: PasswordSheetProps) {
  return (
    <Popup open={asking} onClose={close} title="请输入支付密码">
      {asking && <Digits error={error} busy={busy} sum={sum} forgot={forgot} submit={submit} />}
    </Popup>
  );
}

function Digits({ error, busy, sum, forgot, submit }: Omit<PasswordSheetProps, 'asking' | 'close'>) {
  const [pass, setPass] = useState('');
  const [shown, setShown] = useState(false);

  async function type(next: string) {
    if (busy) return;
    setPass(next);
    if (next.length < digits) return;
    await submit(next);
    // After a refusal the next try starts with empty boxes.
    setPass('');
  }

  return (
    <div className="mq-paypass">
      <p className="mq-paypass__sum">{sum}</p>
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
      <div className="mq-paypass__foot">
        {busy ? (
          <Loading>支付中…</Loading>
        ) : (
          <>
            {forgot}
            <button type="button" onClick={() => setShown(!shown)}>
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
