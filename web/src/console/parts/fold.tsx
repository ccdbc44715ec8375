import './fold.css';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx';

/** Hides details that are seldom needed behind a line that expands. */
export function Fold({ line, className, children }: { line: string; className: string; children: ReactNode }) {
  return (
    <details className={cx('fold', className)}>
      <summary className="mq-row mq-gap-6 mq-second">{line}</summary>
      {children}
    </details>
  );
}
