import './picker.css';
import { Icon } from './icon';
import { Popup } from './popup';

export interface PickerOption<K extends string | number> {
  key: K;
  text: string;
  /** A note on the right, such as a count. */
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

/** A sheet to choose one of several options. It closes when one is chosen. */
export function Picker<K extends string | number>({ open, title, options, value, onPick, onClose }: PickerProps<K>) {
  return (
    <Popup open={open} onClose={onClose} title={title} bare>
      <div className="mq-picker" role="radiogroup" aria-label={title}>
        {options.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: with real radios, moving the focus would choose and close
          <button
            key={option.key}
            type="button"
            role="radio"
            aria-checked={option.key === value}
            className="mq-picker__option mq-focus-inside mq-row mq-gap-8 mq-px-16 mq-py-8 mq-text-16"
            onClick={() => {
              if (option.key !== value) onPick(option.key);
              onClose();
            }}
          >
            <span>{option.text}</span>
            {option.note && <small className="mq-faint mq-text-13">{option.note}</small>}
            <Icon name="check" />
          </button>
        ))}
      </div>
    </Popup>
  );
}
