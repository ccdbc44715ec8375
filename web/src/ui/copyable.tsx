import './copyable.css';
import { copy } from './copy';

/** A number that a tap puts on the clipboard. */
export function Copyable({ name, value }: { name: string; value: string }) {
  return (
    <button type="button" className="mq-copyable" onClick={() => copy(value)} aria-label={`复制${name} ${value}`}>
      {value}
    </button>
  );
}
