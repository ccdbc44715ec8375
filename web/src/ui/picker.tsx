import './picker.css';
import { useId } from 'react';
import { Icon } from './icon';
import { Popup } from './popup';

export interface PickerOption<K extends string | number> {
  key: K;
  text: string;
  /** On the right: how many there are, say. */
  note?: string;
}

interface PickerProps<K extends string | number> {
  open: boolean;
  title: string;
  options: readonly PickerOption<K>[];
  value: K;
  onPick: (key: K) => void;
  onClose: () => void;
}

/** A sheet to choose one of a list; choosing closes it. */
export function Picker<K extends string | number>({ open, title, options, value, onPick, onClose }: PickerProps<K>) {
  const name = useId();
  return (
    <Popup open={open} onClose={onClose} title={title} bare>
      <div className="mq-picker" role="radiogroup" aria-label={title}>
        {options.map((option) => (
          // A radio that is already checked sends no change, but tapping it again also means "this one".
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and space reach the label as clicks of its input
          <label key={option.key} className="mq-picker__option" onClick={() => option.key === value && onClose()}>
            <input
              type="radio"
              className="mq-hidden"
              name={name}
              checked={option.key === value}
              onChange={() => {
                onPick(option.key);
                onClose();
              }}
            />
            <span>{option.text}</span>
            {option.note && <small>{option.note}</small>}
            <Icon name="check" />
          </label>
        ))}
      </div>
    </Popup>
  );
}
