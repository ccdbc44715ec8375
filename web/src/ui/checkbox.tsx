import './checkbox.css';
import type { ReactNode } from 'react';
import { Icon } from './icon';

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children?: ReactNode;
  /** The name where there is no text. */
  label?: string;
  disabled?: boolean;
}

/** A round tick with its text. Links inside the text stay links. */
export function Checkbox({ checked, onChange, children, label, disabled }: CheckboxProps) {
  return (
    <label className="mq-check">
      <input
        type="checkbox"
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
