import './loading.css';
import type { ReactNode } from 'react';

/** A small spinner for an action in progress. A loading page shows a Skeleton instead. */
export function Loading({ children, label = '加载中' }: { children?: ReactNode; label?: string }) {
  return (
    <span className="mq-loading mq-inline mq-gap-8" role="status">
      {children ?? <span className="mq-hidden">{label}</span>}
    </span>
  );
}
