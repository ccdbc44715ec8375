import './copyable.css';
import { copy } from './copy';
import { Icon } from './icon';

/** The button next to a number that copies it. */
export function CopyButton({ name, value }: { name: string; value: string }) {
  return (
    <button type="button" className="mq-line-action" aria-label={`复制${name} ${value}`} onClick={() => copy(value)}>
      <Icon name="copy" />
      <span>复制</span>
    </button>
  );
}

/** A number with a copy button. */
export function Copyable({ name, value }: { name: string; value: string }) {
  return (
    <span className="mq-copyable mq-inline mq-gap-8 mq-ink">
      <span>{value}</span>
      <CopyButton name={name} value={value} />
    </span>
  );
}
