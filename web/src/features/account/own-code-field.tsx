import { CodeField } from './code-field';
import { type CodePurpose, sendSecurityCode } from './security';

interface OwnCodeFieldProps {
  /** The masked number that the code is sent to. */
  phone: string;
  purpose: CodePurpose;
  value: string;
  onChange: (value: string) => void;
  /** The shop's error about the code. */
  error: string | undefined;
}

/** The field of a code that is sent to the customer's own phone. */
export function OwnCodeField({ phone, purpose, value, onChange, error }: OwnCodeFieldProps) {
  return (
    <>
      <div className="mq-cells">
        <CodeField
          value={value}
          onChange={onChange}
          error={error}
          validate={() => undefined}
          send={() => sendSecurityCode(purpose)}
        />
      </div>
      <p className="login__hint mq-small">验证码将发送至 {phone}</p>
    </>
  );
}
