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

/** A field with its label above and its hint below. `control` receives the attributes that link it to both. */
function Labeled({
  label,
  hint,
  room,
  control,
}: Pick<InputProps, 'label' | 'hint' | 'room'> & {
  control: (ties: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={cx('input', `input--${room}`)}>
      <label className="mq-small" htmlFor={id}>
        {label}
      </label>
      {control({ id, 'aria-describedby': hint ? hintId : undefined })}
      {hint && (
        <small id={hintId} className="mq-faint">
          {hint}
        </small>
      )}
    </div>
  );
}

/** A field of one line. */
export function Input({ label, value, onChange, hint, room = 'normal', ...rest }: InputProps) {
  return (
    <Labeled
      label={label}
      hint={hint}
      room={room}
      control={(ties) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          {...ties}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    />
  );
}

/** A field of several lines. */
export function TextArea({ label, value, onChange, hint }: Pick<InputProps, 'label' | 'value' | 'onChange' | 'hint'>) {
  return (
    <Labeled
      label={label}
      hint={hint}
      room="wide"
      control={(ties) => (
        <textarea
          rows={4}
          spellCheck={false}
          {...ties}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    />
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

export function Select({ label, value, onChange, options, room = 'normal', disabled, hideLabel }: SelectProps) {
  const id = useId();
  return (
    <div className={cx('input', `input--${room}`)}>
      <label htmlFor={id} className={hideLabel ? 'mq-hidden' : 'mq-small'}>
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

/** A choice of one of a few options, which are all visible. */
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
    <fieldset className="choice mq-flex mq-wrap mq-shrink mq-gap-6">
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
