import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { waitOf } from './send-login-code';
import { useResend } from './use-resend';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** What keeps a code from being sent, or nothing. */
  refuse: () => string | undefined;
  /** Sends the code; answers how many seconds to wait for the next. */
  send: () => Promise<{ wait: number }>;
}

/** The SMS code, with the button that sends one and then counts down. */
export function CodeField({ value, onChange, refuse, send }: CodeFieldProps) {
  const [left, start] = useResend();

  async function ask() {
    const refused = refuse();
    if (refused) return toast(refused);
    try {
      const { wait } = await send();
      start(wait);
      toast('验证码已发送');
    } catch (failure) {
      start(waitOf(failure));
      toast(customerMessage(failure));
    }
  }

  return (
    <Field
      className="code-field"
      label="验证码"
      placeholder="请输入验证码"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      value={value}
      onChange={onChange}
      action={
        <Button kind="text" size="small" disabled={left > 0} onClick={ask}>
          {left > 0 ? `${left}s后重新获取` : '获取验证码'}
        </Button>
      }
    />
  );
}
