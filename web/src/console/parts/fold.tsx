import './fold.css';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx';

/** What is seldom wanted: a line that opens. */
export function Fold({ line, className, children }: { line: string; className: string; children: ReactNode }) {
  return (
    <details className={cx('fold', className)}>
      <summary>{line}</summary>
      {children}
    </details>
  );
}
