import './tag.css';
import './tone.css';
import type { ReactNode } from 'react';
import { cx } from './cx';

export type Tone = 'plain' | 'brand' | 'gold' | 'ok' | 'warn' | 'bad';

/** A small label, such as a version or a state. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={cx('mq-tag mq-inline mq-text-12 mq-nowrap', `mq-tone--${tone}`)}>{children}</span>;
}
