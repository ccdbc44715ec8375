import './empty.css';
import type { ReactNode } from 'react';
import { Button } from './button';
import sprite from './icons.svg';

/** The text in place of an empty list or a page without content, if there was no error. */
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="mq-empty mq-grid mq-items-middle mq-gap-12 mq-second mq-centered">
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
    <div className="mq-empty mq-grid mq-items-middle mq-gap-12 mq-second mq-centered" role="alert">
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

/** A drawing of a ticket, intact or torn. */
function Drawing({ torn }: { torn?: boolean }) {
  return (
    <svg className="mq-empty__drawing" aria-hidden="true">
      <use href={`${sprite}#ticket-${torn ? 'torn' : 'whole'}`} />
    </svg>
  );
}
