import './button.css';
import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';
import { Loading } from './loading';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  /** Use only one `primary` button on a screen. `plain` has an outline in the brand color, `text` has no outline. */
  kind?: 'primary' | 'default' | 'plain' | 'text' | 'danger';
  size?: 'large' | 'normal' | 'small';
  block?: boolean;
  icon?: IconName;
  /** Shows the spinner. The button ignores clicks and keeps the focus. */
  loading?: boolean;
  /** While a returned promise is pending, the button is busy and ignores clicks. */
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
  // The state `busy` changes with the next render. Until then this ref blocks a second click.
  const running = useRef(false);
  const waiting = loading || busy;

  async function click(event: MouseEvent<HTMLButtonElement>) {
    if (loading || running.current) {
      event.preventDefault();
      return;
    }
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
        size === 'small' && 'mq-tap',
        block && 'van-button--block',
        waiting && 'van-button--loading',
        disabled && 'van-button--disabled',
        className,
      )}
      disabled={disabled}
      // The attribute `disabled` would drop the focus, which must stay on this button.
      aria-disabled={waiting || rest['aria-disabled']}
      aria-busy={waiting || undefined}
      onClick={click}
    >
      <span className="van-button__content mq-gap-6">
        {waiting ? <Loading /> : icon && <Icon name={icon} />}
        <span className="van-button__text">{children}</span>
      </span>
    </button>
  );
}
