import './password-input.css';
import type { Ref } from 'react';
import { cx } from './cx';

const length = 6;

interface PasswordInputProps {
  /** The name of the field for screen readers. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  disabled?: boolean;
  /** Whether the digits are shown instead of dots. */
  shown?: boolean;
  autoFocus?: boolean;
  /** Whether a NumberKeyboard on the page enters the digits. The phone's keyboard is then not opened. */
  ownKeyboard?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Six boxes for the six digits of a payment password, above one invisible password field. */
export function PasswordInput({
  label,
  value,
  onChange,
  error,
  disabled,
  shown,
  autoFocus,
  ownKeyboard,
  ref,
}: PasswordInputProps) {
  return (
    <div className={cx('mq-password mq-relative', ownKeyboard && !disabled && 'mq-password--typing')}>
      <div className="mq-password__boxes mq-grid mq-gap-8" aria-hidden="true">
        {Array.from({ length }, (_, i) => (
          <i key={i} className={cx(i < value.length && !shown && 'is-filled', i === value.length && 'is-next')}>
            {shown && value[i]}
          </i>
        ))}
      </div>
      <input
        ref={ref}
        type={shown ? 'text' : 'password'}
        inputMode={ownKeyboard ? 'none' : 'numeric'}
        pattern="[0-9]*"
        autoComplete="off"
        maxLength={length}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        value={value}
        // `readOnly`, because a disabled field would lose the focus, which is needed for the next try.
        readOnly={disabled}
        // biome-ignore lint/a11y/noAutofocus: its sheet has just been opened for this input
        autoFocus={autoFocus}
        data-focus={autoFocus || undefined}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, length))}
      />
      {error !== undefined && (
        <p className="mq-password__error mq-mt-8 mq-bad mq-text-13 mq-centered" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
