import './facts.css';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx';

/** A list of names and values; `long` puts each pair on a separate line. */
export function Facts({ long, children }: { long?: boolean; children: ReactNode }) {
  return <dl className={cx('facts', long && 'facts--long')}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
