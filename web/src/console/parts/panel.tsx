import './panel.css';
import { type ReactNode, useId } from 'react';
import { cx } from '../../ui/cx';

/** A section of a page with a heading. */
export function Panel({
  title,
  note,
  action,
  wide,
  children,
}: {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={cx('panel mq-stack mq-shrink mq-gap-12 mq-sheet', wide && 'panel--wide')} aria-labelledby={id}>
      <header className="panel__head mq-row mq-wrap mq-between">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {note && <p className="mq-note">{note}</p>}
      {children}
    </section>
  );
}

/** Content that scrolls sideways if it is wider than the screen. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys
    <section className="scroll mq-shrink mq-relative" aria-label={`${label}, scrolls`} tabIndex={0}>
      {children}
    </section>
  );
}

/** The heading of a page, with a sentence about its purpose. */
export function Title({ text, note, children }: { text: string; note: ReactNode; children?: ReactNode }) {
  return (
    <header className="title">
      <div>
        <h1>{text}</h1>
        <p>{note}</p>
      </div>
      {children}
    </header>
  );
}
