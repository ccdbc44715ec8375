import './copyable.css';
import { copy } from './copy';

/** A number that is copied by a tap. */
export function Copyable({ name, value }: { name: string; value: string }) {
  return (
    <button type="button" className="mq-copyable" onClick={() => copy(value)} aria-label={`复制${name} ${value}`}>
      {value}
    </button>
  );
}
