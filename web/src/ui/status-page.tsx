import './status-page.css';
import type { ReactNode } from 'react';

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

/** What else is to be known about it, at its end. */
export function StatusNotes({ children }: { children: ReactNode }) {
  return <section className="mq-status-notes">{children}</section>;
}
