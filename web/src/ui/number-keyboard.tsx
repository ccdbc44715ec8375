import './number-keyboard.css';
import { Icon } from './icon';
import { tick } from './tick';

interface NumberKeyboardProps {
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  disabled?: boolean;
}

/**
 * A number keyboard at the bottom of a sheet. It does not take the focus from the field that it writes into. The phone
 * vibrates briefly when a key changes the number.
 */
export function NumberKeyboard({ value, onChange, maxLength = 6, disabled }: NumberKeyboardProps) {
  function change(next: string) {
    if (next === value) return;
    tick();
    onChange(next);
  }
  const digit = (key: string) => (
    <button key={key} type="button" disabled={disabled} onClick={() => change((value + key).slice(0, maxLength))}>
      {key}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is not a fieldset
    <div className="mq-keys" role="group" aria-label="数字键盘" onPointerDown={(event) => event.preventDefault()}>
      {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit)}
      <span />
      {digit('0')}
      <button
        type="button"
        className="is-plain"
        aria-label="删除一位"
        disabled={disabled}
        onClick={() => change(value.slice(0, -1))}
      >
        <Icon name="delete" />
      </button>
    </div>
  );
}
