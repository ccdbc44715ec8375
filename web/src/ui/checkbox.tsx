import './checkbox.css';
import type { ReactNode } from 'react';
import { Icon } from './icon';

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children?: ReactNode;
  /** The name for screen readers, if there is no text. */
  label?: string;
  /** The name within its form. */
  name?: string;
  disabled?: boolean;
}

/** A round checkbox with its text. Links inside the text remain usable. */
export function Checkbox({ checked, onChange, children, label, name, disabled }: CheckboxProps) {
  return (
    <label className="mq-check">
      <input
        type="checkbox"
        name={name}
        className="mq-hidden"
        checked={checked}
        disabled={disabled}
        aria-label={label}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="mq-check__box" aria-hidden="true">
        <Icon name="check" />
      </span>
      {children !== undefined && <span>{children}</span>}
    </label>
  );
}
