import './submit-bar.css';
import type { ReactNode } from 'react';
import { Button } from './button';

interface SubmitBarProps {
  /** On the left: what it costs. */
  total?: ReactNode;
  /** A small line under the total. */
  note?: ReactNode;
  /** Above the row, inside the bar. */
  children?: ReactNode;
  text: string;
  /** A promise keeps the button busy until it settles. */
  onSubmit: () => unknown;
  disabled?: boolean;
  loading?: boolean;
}

/** The one primary action of a page, at its bottom. It keeps its own space free at the end of the page. */
export function SubmitBar({ total, note, children, text, onSubmit, disabled, loading }: SubmitBarProps) {
  return (
    <>
      <div className="mq-submit__space" />
      <div className="mq-submit">
        {children}
        <div className="mq-submit__row">
          <div className="mq-submit__total">
            {total}
            {note !== undefined && <div className="mq-submit__note">{note}</div>}
          </div>
          <Button kind="primary" size="large" disabled={disabled} loading={loading} onClick={onSubmit}>
            {text}
          </Button>
        </div>
      </div>
    </>
  );
}
