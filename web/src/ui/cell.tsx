import './cell.css';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';

interface CellProps {
  title: ReactNode;
  value?: ReactNode;
  /** A second line under the title. */
  label?: ReactNode;
  icon?: IconName;
  /** Makes the row a button with an arrow. */
  onClick?: () => void;
  /** Whether the arrow is shown; true by default for a row with onClick. */
  arrow?: boolean;
  /** The name of the button within its form. */
  name?: string;
  className?: string;
}

/** A row with a title on the left and a value on the right. */
export function Cell({ title, value, label, icon, onClick, arrow = Boolean(onClick), name, className }: CellProps) {
  const content = (
    <>
      {icon && <Icon name={icon} className="mq-cell__lead" />}
      <span className="mq-container mq-row mq-wrap mq-fill mq-gap-10 mq-rows-0">
        <span className="van-cell__title">
          {title}
          {label !== undefined && (
            <span className="van-cell__label" style={{ display: 'block' }}>
              {label}
            </span>
          )}
        </span>
        {value !== undefined && <span className="van-cell__value">{value}</span>}
      </span>
      {arrow && <Icon className="mq-arrow" name="forward" />}
    </>
  );
  const classes = cx('van-cell mq-cell', onClick && 'van-cell--clickable', className);
  return onClick ? (
    <button type="button" name={name} className={classes} onClick={onClick}>
      {content}
    </button>
  ) : (
    <div className={classes}>{content}</div>
  );
}

/** A group of cells with an optional heading. */
export function CellGroup({
  title,
  children,
  className,
}: {
  title?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={className}>
      {title !== undefined && <h2 className="mq-cells__title mq-text-14 mq-strong">{title}</h2>}
      <div className="mq-cells">{children}</div>
    </section>
  );
}
