import './empty.css';
import type { ReactNode } from 'react';
import { Button } from './button';

/** An empty list or page without an error. */
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="mq-empty">
      <Drawing />
      <p>{text}</p>
      {children}
    </div>
  );
}

/** A failure with its message and a button to retry. */
export function ErrorState({
  message = '加载失败',
  onRetry,
  children,
}: {
  message?: string | undefined;
  onRetry?: () => unknown;
  /** Another action, after the button to retry. */
  children?: ReactNode;
}) {
  return (
    <div className="mq-empty" role="alert">
      <Drawing torn />
      <p>{message}</p>
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          重试
        </Button>
      )}
      {children}
    </div>
  );
}

/** A drawing of a ticket, whole or torn. */
function Drawing({ torn }: { torn?: boolean }) {
  return (
    <svg
      className="mq-empty__drawing"
      viewBox="0 0 112 84"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path
        d={
          torn
            ? 'M52 20H22a6 6 0 0 0-6 6v8a9 9 0 0 1 0 17v8a6 6 0 0 0 6 6h34l-5-9 5-8-6-9 5-9z'
            : 'M22 22h68a6 6 0 0 1 6 6v6a9 9 0 0 0 0 17v6a6 6 0 0 1-6 6H22a6 6 0 0 1-6-6v-6a9 9 0 0 0 0-17v-6a6 6 0 0 1 6-6z'
        }
      />
      {torn && <path d="M66 18l25 4a6 6 0 0 1 5 7l-1 6a9 9 0 0 0-3 17l-1 7a6 6 0 0 1-7 5l-22-4 4-8-4-9 6-8-4-9z" />}
      <path
        className="is-accent"
        stroke="currentColor"
        d={torn ? 'M30 36h12M30 46h8' : 'M34 36h22M34 46h14M74 30v5M74 40v5M74 50v5'}
      />
    </svg>
  );
}
