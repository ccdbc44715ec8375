import { useState } from 'react';
import { typedInput } from '../../shop/input';
import { lockEnd, rejectionMessage } from '../../shop/rejection';
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
  /** The shop's error about the code. */
  error: string | undefined;
  /** Returns the message that says why a code cannot be sent, or undefined if it can. */
  validate: () => string | undefined;
  /** Sends the code. `wait` is the number of seconds until the next one can be requested. */
  send: () => Promise<{ wait: number }>;
}

/**
 * The field of the SMS code, with a button that sends a code and then counts down the seconds until the next one can be
 * sent.
 */
export function CodeField({ label = '验证码', name = 'code', value, onChange, error, validate, send }: CodeFieldProps) {
  const [until, setUntil] = useState<number>();
  const left = useSecondsLeft(until);
  const [unsent, setUnsent] = useState<string>();

  function startWait(seconds: number) {
    setUntil(Date.now() + seconds * 1000);
  }

  async function sendCode() {
    const problem = validate();
    if (problem) return toast(problem);
    setUnsent(undefined);
    onChange(value); // clears the error of an earlier code
    try {
      const { wait } = await send();
      startWait(wait);
      toast('验证码已发送');
    } catch (failure) {
      // The button counts down a short wait in seconds. The end of a limit per hour or day is in the message instead.
      if (lockEnd(failure) === undefined) startWait(waitOf(failure));
      setUnsent(rejectionMessage(failure));
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
