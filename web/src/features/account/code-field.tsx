import { useState } from 'react';
import { typedInput } from '../../shop/input';
import { lockEnd, refusalMessage } from '../../shop/refusal';
import { Button } from '../../ui/button';
import { useSecondsLeft } from '../../ui/count-down';
import { Field } from '../../ui/field';
import { toast } from '../../ui/toast';
import { waitOf } from './send-login-code';

interface CodeFieldProps {
  label?: string;
  name?: string;
  value: string;
  onChange: (value: string) => void;
  /** Why the shop refused the code. */
  error: string | undefined;
  /** Returns the message why a code cannot be sent, or undefined if it can. */
  refuse: () => string | undefined;
  /** Sends the code. `wait` is the number of seconds until the next one can be requested. */
  send: () => Promise<{ wait: number }>;
}

/** The field of the SMS code with the button that sends one and then counts down the seconds until the next. */
export function CodeField({ label = '验证码', name = 'code', value, onChange, error, refuse, send }: CodeFieldProps) {
  const [until, setUntil] = useState<number>();
  const left = useSecondsLeft(until);
  const [unsent, setUnsent] = useState<string>();

  function startWait(seconds: number) {
    setUntil(Date.now() + seconds * 1000);
  }

  async function sendCode() {
    const refused = refuse();
    if (refused) return toast(refused);
    setUnsent(undefined);
    onChange(value); // ends the error of an earlier code
    try {
      const { wait } = await send();
      startWait(wait);
      toast('验证码已发送');
    } catch (failure) {
      // The button counts seconds; the end of a limit of an hour or a day is part of the message.
      if (lockEnd(failure) === undefined) startWait(waitOf(failure));
      setUnsent(refusalMessage(failure));
    }
  }

  return (
    <Field
      className="code-field"
      label={label}
      name={name}
      placeholder="请输入验证码"
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      error={error ?? unsent}
      onChange={(typed) => {
        setUnsent(undefined);
        onChange(typedInput('code', typed));
      }}
      action={
        <Button kind="text" size="small" disabled={left > 0} onClick={sendCode}>
          {left > 0 ? `${left}s后重新获取` : '获取验证码'}
        </Button>
      }
    />
  );
}
