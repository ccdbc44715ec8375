import './number-keyboard.css';
import { Icon } from './icon';

interface NumberKeyboardProps {
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  disabled?: boolean;
}

/** A number keyboard at the bottom of a sheet. It does not take the focus from the field that it writes into. */
export function NumberKeyboard({ value, onChange, maxLength = 6, disabled }: NumberKeyboardProps) {
  const digit = (key: string) => (
    <button
      key={key}
      type="button"
      disabled={disabled}
      onClick={() => value.length < maxLength && onChange(value + key)}
    >
      {key}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is no fieldset
    <div className="mq-keys" role="group" aria-label="数字键盘" onPointerDown={(event) => event.preventDefault()}>
      {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit)}
      <span />
      {digit('0')}
      <button
        type="button"
        className="is-plain"
        aria-label="删除一位"
        disabled={disabled}
        onClick={() => onChange(value.slice(0, -1))}
      >
        <Icon name="delete" />
      </button>
    </div>
  );
}
