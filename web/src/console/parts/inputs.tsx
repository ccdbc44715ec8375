import './inputs.css';
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { cx } from '../../ui/cx';

interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  /** The width in a row of fields. */
  room?: 'small' | 'normal' | 'wide';
}

/** A field with its label above. */
export function Input({ label, value, onChange, hint, room = 'normal', ...rest }: InputProps) {
  const id = useId();
  return (
    <div className={cx('input', `input--${room}`)}>
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint && (
        <small id={`${id}-hint`} className="input__hint">
          {hint}
        </small>
      )}
    </div>
  );
}

/** A field of several lines. */
export function TextArea({
  label,
  value,
  onChange,
  hint,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
}) {
  const id = useId();
  return (
    <div className="input input--wide">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        spellCheck={false}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint && (
        <small id={`${id}-hint`} className="input__hint">
          {hint}
        </small>
      )}
    </div>
  );
}

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: { key: string; text: string }[];
  room?: 'small' | 'normal' | 'wide';
  disabled?: boolean;
  hideLabel?: boolean;
}

/** A native select. */
export function Select({ label, value, onChange, options, room = 'normal', disabled, hideLabel }: SelectProps) {
  const id = useId();
  return (
    <div className={cx('input', `input--${room}`)}>
      <label htmlFor={id} className={cx(hideLabel && 'mq-hidden')}>
        {label}
      </label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
        {options.map(({ key, text }) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A choice of few options that are all visible. */
export function Choice({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: { key: string; text: ReactNode }[];
}) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className="mq-hidden">{label}</legend>
      {options.map(({ key, text }) => (
        <label key={key}>
          <input
            type="radio"
            className="mq-hidden"
            name={name}
            checked={key === value}
            onChange={() => onChange(key)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
