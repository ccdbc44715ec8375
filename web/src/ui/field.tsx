import './field.css';
import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react';
import { cx } from './cx';
import { Icon } from './icon';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  /** The label on the left; with `hideLabel` it is for screen readers only. */
  label: string;
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  /** The error message below the field. */
  error?: string | undefined;
  /** Whether a button clears the field. */
  clearable?: boolean;
  /** Content on the right, such as a button that sends a code. */
  action?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A text field with a label. A password field has a button that shows and hides the password. */
export function Field({
  label,
  hideLabel,
  value,
  onChange,
  error,
  clearable,
  action,
  className,
  id,
  type,
  ...input
}: FieldProps) {
  const [shown, setShown] = useState(false);
  const own = useId();
  const inputId = id ?? own;
  const errorId = `${inputId}-error`;
  return (
    <div className={cx('van-cell van-field mq-field', error && 'mq-field--error', className)}>
      <label className={cx('van-field__label', hideLabel && 'mq-hidden')} htmlFor={inputId}>
        {label}
      </label>
      <div className="van-cell__value van-field__value">
        <div className="van-field__body">
          <input
            autoComplete="off"
            {...input}
            id={inputId}
            type={shown ? 'text' : type}
            className="van-field__control"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
          />
          {clearable && value !== '' && (
            <button
              type="button"
              className="mq-field__button mq-center mq-fixed mq-faint"
              aria-label={`清空${label}`}
              onClick={() => onChange('')}
            >
              <Icon name="close" />
            </button>
          )}
          {type === 'password' && (
            <button
              type="button"
              className="mq-field__button mq-center mq-fixed mq-faint"
              aria-label={`${shown ? '隐藏' : '显示'}${label}`}
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? 'eye-off' : 'eye'} />
            </button>
          )}
          {action && <div className="van-field__button">{action}</div>}
        </div>
        {error && (
          <div className="van-field__error-message" id={errorId} role="alert">
            {error}
          </div>
        )}
      </div>
    </div>
  );
}
