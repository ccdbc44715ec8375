import './looks.css';
import type { ReactNode } from 'react';
import { Button } from './button';

interface SubmitBarProps {
  /** The content on the left, usually the amount. */
  total?: ReactNode;
  /** A small line under the total. */
  note?: ReactNode;
  /** Content above the row, inside the bar. */
  children?: ReactNode;
  text: string;
  /** While a returned promise is pending, the button is busy. */
  onSubmit: () => unknown;
  disabled?: boolean;
  loading?: boolean;
}

/**
 * A bar with the primary action, fixed at the lower edge of the screen. It also adds its height to the end of the page,
 * so that it does not cover the last content.
 */
export function SubmitBar({ total, note, children, text, onSubmit, disabled, loading }: SubmitBarProps) {
  return (
    <>
      <div className="mq-bottom-space" />
      <div className="mq-bottom">
        {children}
        <div className="mq-submit__row mq-row mq-wrap">
          <div className="mq-submit__total">
            {total}
            {note !== undefined && <div className="mq-small mq-whole">{note}</div>}
          </div>
          <Button kind="primary" size="large" disabled={disabled} loading={loading} onClick={onSubmit}>
            {text}
          </Button>
        </div>
      </div>
    </>
  );
}
