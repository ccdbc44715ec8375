import './status-page.css';
import type { ReactNode } from 'react';
import { CountDown } from './count-down';

/** Something to do, good, under way, gone wrong, or past. */
export type StatusTone = 'due' | 'ok' | 'moving' | 'bad' | 'over';

interface StatusPageProps {
  tone: StatusTone;
  title: string;
  /** What the status means for who reads it. */
  advice: string;
  children: ReactNode;
}

/** A page about one thing that goes from state to state: how it stands, and below it everything else. */
export function StatusPage({ tone, title, advice, children }: StatusPageProps) {
  return (
    <div className="mq-status-page">
      <header className={`mq-status mq-status--${tone}`}>
        <h2>{title}</h2>
        <p>{advice}</p>
      </header>
      {children}
    </div>
  );
}

/** What can be done about it: the lesser thing first, and the one that is wanted, which is wider. */
export function StatusActions({ children }: { children: ReactNode }) {
  return <div className="mq-status-actions">{children}</div>;
}

interface StatusDueProps {
  /** Until when it can be paid, in milliseconds. */
  until: number;
  /** How far the shop's clock is ahead of the phone's, in milliseconds; while that is unknown no time is shown. */
  offset: number | undefined;
  onEnd: () => void;
  /** What can be done about it. */
  children: ReactNode;
}

/** What waits for its payment: how long still, and the actions. */
export function StatusDue({ until, offset, onEnd, children }: StatusDueProps) {
  return (
    <section className="mq-card mq-status-due" aria-label="待付款">
      <p>
        支付剩余时间
        {offset !== undefined && <CountDown until={until} offset={offset} onEnd={onEnd} />}
      </p>
      <StatusActions>{children}</StatusActions>
    </section>
  );
}

/** What else is to be known about it, at its end. */
export function StatusNotes({ children }: { children: ReactNode }) {
  return <section className="mq-status-notes">{children}</section>;
}
