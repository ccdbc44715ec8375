import './notice-bar.css';
import './tone.css';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';

interface NoticeBarProps {
  /** `plain` is for advice that is not a warning. */
  tone?: 'plain' | 'warn' | 'ok' | 'bad';
  icon?: IconName;
  children: ReactNode;
}

/** A notice inside the page: a line with an icon and a tone. */
export function NoticeBar({ tone = 'warn', icon = 'info', children }: NoticeBarProps) {
  return (
    <div className={cx('mq-notice mq-flex mq-gap-8 mq-px-16 mq-py-8 mq-text-13', `mq-tone--${tone}`)}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
