import './states.css';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { Skeleton } from '../../ui/skeleton';
import { CallError } from '../api/call';
import { messageOf } from './act';

interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

/** Renders `children` with the answer of a query, or while there is none, its loading state or its error. */
export function Answer<T>({ of, rows, children }: { of: Asked<T>; rows?: number; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Problem error={of.error} onRetry={of.refetch} />;
  return <Skeleton rows={rows ?? 4} label="Loading" />;
}

export function Problem({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <div className="problem mq-stack mq-gap-8 mq-sheet mq-bad" role="alert">
      <p>{messageOf(error)}</p>
      {error instanceof CallError && error.code !== 'unreachable' && <code>{error.code}</code>}
      <Button size="small" icon="refresh" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

export function Nothing({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="nothing">
      <Empty text={text}>{children}</Empty>
    </div>
  );
}
