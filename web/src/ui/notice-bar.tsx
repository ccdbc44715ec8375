import './notice-bar.css';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';

interface NoticeBarProps {
  tone?: 'warn' | 'ok' | 'bad';
  icon?: IconName;
  children: ReactNode;
}

/** A line that belongs to the page it stands on. */
export function NoticeBar({ tone = 'warn', icon = 'info', children }: NoticeBarProps) {
  return (
    <div className={cx('mq-notice', tone !== 'warn' && `mq-notice--${tone}`)}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
