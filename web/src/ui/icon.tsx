import './icon.css';
import { cx } from './cx';
import sprite from './icons.svg';

/** The names of the symbols in icons.svg. A test in kit.test.tsx compares them. */
export const iconNames = [
  'back',
  'forward',
  'down',
  'up',
  'close',
  'check',
  'plus',
  'minus',
  'search',
  'location',
  'film',
  'cinema',
  'mine',
  'ticket',
  'card',
  'clock',
  'calendar',
  'phone',
  'lock',
  'shield',
  'service',
  'scan',
  'copy',
  'info',
  'warning',
  'success',
  'fail',
  'offline',
  'pause',
  'play',
  'refresh',
  'delete',
  'logout',
  'star',
  'wechat',
  'more',
  'image',
  'camera',
  'download',
  'music',
  'book',
  'share',
  'document',
  'bag',
  'cake',
  'seats',
  'eye',
  'eye-off',
  'gift',
  'wallet-plus',
] as const;

export type IconName = (typeof iconNames)[number];

interface IconProps {
  name: IconName;
  /**
   * The name for screen readers. Set it only if no text next to the icon says the same; without it, the icon is hidden
   * from screen readers.
   */
  label?: string;
  className?: string;
}

/** An icon of one em in the color of the surrounding text. */
export function Icon({ name, label, className }: IconProps) {
  return (
    <svg
      className={cx('mq-icon', className)}
      viewBox="0 0 24 24"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
