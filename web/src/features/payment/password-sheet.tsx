import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../api/paths';
import { Loading } from '../../ui/loading';
import { NumberKeyboard } from '../../ui/number-keyboard';
import { PasswordInput } from '../../ui/password-input';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';

const digits = 6;

interface PasswordSheetProps {
  asking: boolean;
  error: string | undefined;
  busy: boolean;
  /** What the cards pay. */
  points: string;
  submit: (pass: string) => unknown;
  close: (() => void) | undefined;
}

/** Asks for the payment password; the sixth digit sends it. */
export function PasswordSheet({ asking, error, busy, points, submit, close }: PasswordSheetProps) {
  return (
    <Popup open={asking} onClose={close} title="请输入支付密码">
      {asking && <Digits error={error} busy={busy} points={points} submit={submit} />}
    </Popup>
  );
}

function Digits({ error, busy, points, submit }: Omit<PasswordSheetProps, 'asking' | 'close'>) {
  const [pass, setPass] = useState('');

  async function type(next: string) {
    if (busy) return;
    setPass(next);
    if (next.length < digits) return;
    await submit(next);
    // After a refusal the next try starts with empty boxes.
    setPass('');
  }

  return (
    <div className="password">
      <p className="password__sum">
        福利卡支付
        <Price amount={points} unit="points" size="large" />
      </p>
      <PasswordInput
        label="支付密码"
        value={pass}
        onChange={type}
        error={error}
        disabled={busy}
        autoFocus
        ownKeyboard
      />
      <div className="password__foot">
        {busy ? <Loading>支付中…</Loading> : <Link to={paths.payPassword()}>忘记密码</Link>}
      </div>
      <NumberKeyboard value={pass} onChange={type} maxLength={digits} disabled={busy} />
    </div>
  );
}
