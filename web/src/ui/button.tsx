import './button.css';
import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';
import { Loading } from './loading';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  /** One primary a screen. `plain` is outlined in the brand colour, `text` has no frame. */
  kind?: 'primary' | 'default' | 'plain' | 'text' | 'danger';
  size?: 'large' | 'normal' | 'small';
  block?: boolean;
  icon?: IconName;
  /** Shows the ring and takes no clicks. */
  loading?: boolean;
  /** A promise keeps the button busy until it settles, so that no action runs twice. */
  onClick?: (event: MouseEvent<HTMLButtonElement>) => unknown;
  children?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind = 'default',
  size = 'normal',
  block,
  icon,
  loading,
  disabled,
  onClick,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const [busy, setBusy] = useState(false);
  // The state shows it; the ref holds a second click that comes before the next paint.
  const running = useRef(false);
  const waiting = loading || busy;

  async function click(event: MouseEvent<HTMLButtonElement>) {
    if (running.current) return;
    const result = onClick?.(event);
    if (!(result instanceof Promise)) return;
    running.current = true;
    setBusy(true);
    try {
      await result;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return (
    <button
      {...rest}
      type={type}
      className={cx(
        'van-button mq-button',
        `van-button--${size}`,
        kind === 'plain' ? 'van-button--plain' : `van-button--${kind}`,
        block && 'van-button--block',
        waiting && 'van-button--loading',
        disabled && 'van-button--disabled',
        className,
      )}
      disabled={disabled || waiting}
      aria-busy={waiting || undefined}
      onClick={click}
    >
      <span className="van-button__content">
        {waiting ? <Loading /> : icon && <Icon name={icon} />}
        <span className="van-button__text">{children}</span>
      </span>
    </button>
  );
}
