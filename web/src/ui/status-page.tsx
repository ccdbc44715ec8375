import './looks.css';
import './status-page.css';
import { type ReactNode, useId } from 'react';
import { CountDown } from './count-down';
import { cx } from './cx';
import { PullRefresh } from './pull-refresh';
import { type StatusTone, statusColor } from './status-tone';

interface StatusPageProps {
  tone: StatusTone;
  title: string;
  /** What the status means for the customer. */
  advice: string;
  /** Loads the order again when the page is pulled down. */
  onRefresh: () => Promise<unknown>;
  /** The bar with the actions, which does not move with the page. */
  bar?: ReactNode;
  children: ReactNode;
}

/** The page of an order: its status, the details below, and the actions in a bar at the lower edge of the screen. */
export function StatusPage({ tone, title, advice, onRefresh, bar, children }: StatusPageProps) {
  return (
    <>
      <PullRefresh
        onRefresh={onRefresh}
        className={cx('mq-column mq-gap-12 mq-page', Boolean(bar) && 'mq-status-page--bar')}
      >
        <header>
          <h2 className={`mq-text-20 ${statusColor[tone]}`}>{title}</h2>
          <p className="mq-second">{advice}</p>
        </header>
        {children}
      </PullRefresh>
      {bar}
    </>
  );
}

/** A bar at the lower edge of the screen with the only action of an order's page. */
export function StatusBar({ children }: { children: ReactNode }) {
  return <div className="mq-bottom">{children}</div>;
}

interface StatusFactsProps {
  title: string;
  children: ReactNode;
}

/** The facts of an order, in a card with a heading. */
export function StatusFacts({ title, children }: StatusFactsProps) {
  const id = useId();
  return (
    <section className="mq-card mq-facts" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl className="mq-grid mq-gap-12">{children}</dl>
    </section>
  );
}

/** One fact: its name on the left and its value on the right. */
export function StatusFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A row of actions. The last one is the primary action and wider. */
function StatusActions({ children }: { children: ReactNode }) {
  return <div className="mq-status-actions mq-grid mq-fill mq-gap-10">{children}</div>;
}

interface StatusDueProps {
  /** The end of the time to pay, in unix milliseconds. */
  until: number;
  /** How many milliseconds the shop's clock is ahead of the phone's. The time left is shown once this is known. */
  offset: number | undefined;
  onEnd: () => void;
  /** The actions. */
  children: ReactNode;
}

/** The time left to pay an order, and the actions, in a bar at the lower edge of the screen. */
export function StatusDue({ until, offset, onEnd, children }: StatusDueProps) {
  return (
    <section className="mq-status-due mq-bottom mq-submit__row mq-row mq-wrap" aria-label="待付款">
      <p className="mq-fixed mq-small">
        支付剩余时间
        {offset !== undefined && <CountDown until={until} offset={offset} onEnd={onEnd} spoken="支付时间" />}
      </p>
      <StatusActions>{children}</StatusActions>
    </section>
  );
}

/** Notes at the end of the page. */
export function StatusNotes({ children }: { children: ReactNode }) {
  return <section className="mq-small">{children}</section>;
}
