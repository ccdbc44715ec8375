import './icon.css';
import type { ReactNode } from 'react';
import { cx } from './cx';

/** Drawn on a 24-unit grid with a 1.8-unit stroke in the colour of the text. */
const shapes = {
  back: <path d="M15 5l-7 7 7 7" />,
  forward: <path d="M9 5l7 7-7 7" />,
  down: <path d="M6 9.5l6 6 6-6" />,
  up: <path d="M6 14.5l6-6 6 6" />,
  close: <path d="M6 6l12 12M18 6L6 18" />,
  check: <path d="M5 12.5l4.5 4.5L19 7.5" />,
  plus: <path d="M12 5v14M5 12h14" />,
  minus: <path d="M5 12h14" />,
  search: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="M16 16l4.5 4.5" />
    </>
  ),
  location: (
    <>
      <path d="M12 21s-7-6.2-7-11.5a7 7 0 0 1 14 0C19 14.8 12 21 12 21z" />
      <circle cx="12" cy="9.5" r="2.5" />
    </>
  ),
  film: (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="3" />
      <path d="M8 4.5v15M16 4.5v15M3.5 9.5H8M3.5 14.5H8M16 9.5h4.5M16 14.5h4.5" />
    </>
  ),
  cinema: (
    <>
      <path d="M4 20V9l8-4.5L20 9v11" />
      <path d="M2.5 20h19M9 20v-5.5h6V20M9.5 10.5h5" />
    </>
  ),
  mine: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6" />
    </>
  ),
  ticket: (
    <>
      <path d="M3.5 8a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2v1.8a2.2 2.2 0 0 0 0 4.4V16a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-1.8a2.2 2.2 0 0 0 0-4.4z" />
      <path d="M14.5 6v2.5M14.5 10.8v2.4M14.5 15.5V18" />
    </>
  ),
  card: (
    <>
      <rect x="3" y="5.5" width="18" height="13" rx="2.5" />
      <path d="M3 10h18M6.5 15h4" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
  calendar: (
    <>
      <rect x="4" y="5.5" width="16" height="15" rx="2.5" />
      <path d="M4 10.5h16M8.5 3.5v4M15.5 3.5v4" />
    </>
  ),
  phone: (
    <path d="M6.5 4h3l1.5 4-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 6.2 2 2 0 0 1 6.5 4z" />
  ),
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="10" rx="2.5" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2" />
    </>
  ),
  shield: <path d="M12 3.5l7.5 2.8v5.2c0 4.5-3 7.7-7.5 9.5-4.5-1.8-7.5-5-7.5-9.5V6.3z" />,
  service: (
    <>
      <path d="M4.5 14v-2a7.5 7.5 0 0 1 15 0v2" />
      <rect x="3.5" y="13" width="4" height="6" rx="1.8" />
      <rect x="16.5" y="13" width="4" height="6" rx="1.8" />
      <path d="M18.5 19c0 1.5-1.5 2.5-4.5 2.5" />
    </>
  ),
  scan: (
    <path d="M4 8.5V6a2 2 0 0 1 2-2h2.5M15.5 4H18a2 2 0 0 1 2 2v2.5M20 15.5V18a2 2 0 0 1-2 2h-2.5M8.5 20H6a2 2 0 0 1-2-2v-2.5M4 12h16" />
  ),
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2.5" />
      <path d="M15.5 5.5a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5.5M12 7.6v.2" />
    </>
  ),
  warning: (
    <>
      <path d="M12 4.5L21 19.5H3z" />
      <path d="M12 10.5v4M12 17v.2" />
    </>
  ),
  success: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8 12.3l2.8 2.8L16 9.5" />
    </>
  ),
  fail: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9 9l6 6M15 9l-6 6" />
    </>
  ),
  offline: (
    <path d="M3 3l18 18M2.5 9.5a14 14 0 0 1 4-2.6M10 5.7a14 14 0 0 1 11.5 3.8M6 13.3a9 9 0 0 1 4.5-2.4M15.5 11.7a9 9 0 0 1 2.5 1.6M9.5 16.6a4 4 0 0 1 4.5-.4M12 19.7v.2" />
  ),
  refresh: <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15" />,
  delete: (
    <>
      <path d="M8.5 5.5h10a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-10L3 12z" />
      <path d="M11 9.5l5 5M16 9.5l-5 5" />
    </>
  ),
  logout: <path d="M14 4.5H7a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h7M10.5 12H20M16.5 8.5L20 12l-3.5 3.5" />,
  star: <path d="M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7L12 17l-5.1 2.7 1-5.7-4.1-4 5.7-.8z" />,
  wechat: (
    <>
      <path d="M9.5 4.5C5.5 4.5 2.5 7 2.5 10.2c0 1.8 1 3.4 2.6 4.4l-.6 2.1 2.4-1.2c.8.2 1.7.4 2.6.4" />
      <path d="M15.5 9.5c-3.3 0-6 2.2-6 5s2.7 5 6 5c.8 0 1.5-.1 2.2-.3l2 1-.5-1.8c1.4-.9 2.3-2.3 2.3-3.9 0-2.8-2.7-5-6-5z" />
      <path d="M7 8.8v.2M12 8.8v.2M13.5 13.8v.2M17.5 13.8v.2" />
    </>
  ),
  more: <path d="M6 12v.2M12 12v.2M18 12v.2" />,
  image: (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="3" />
      <path d="M3.5 16l5-5 4 4 2.5-2.5 5.5 5" />
      <circle cx="15.5" cy="9" r="1.2" />
    </>
  ),
  seats: (
    <path d="M7 11.5V7a2.5 2.5 0 0 1 2.5-2.5h5A2.5 2.5 0 0 1 17 7v4.5M5 11a2 2 0 0 1 2 2v2h10v-2a2 2 0 1 1 2 2v3H5v-3a2 2 0 0 1 0-4zM7.5 18.5V20M16.5 18.5V20" />
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

interface IconProps {
  name: IconName;
  /** What the icon says where no text beside it does. Without a label it is decoration. */
  label?: string;
  className?: string;
}

/** A line drawing, one em high, in the colour of the text around it. */
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
      {shapes[name]}
    </svg>
  );
}
