import './nav-bar.css';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon } from './icon';

interface NavBarProps {
  title: ReactNode;
  /** Called by the back arrow, which is shown only if this is set. */
  onBack?: () => void;
  right?: ReactNode;
  /** Whether the bar is above a picture, with white text and without a background. */
  over?: boolean;
}

/** The bar at the top of a page. It is sticky, and its title is the page's h1. */
export function NavBar({ title, onBack, right, over }: NavBarProps) {
  return (
    <header className={cx('van-nav-bar mq-nav', over && 'mq-nav--over')}>
      <div className="van-nav-bar__content">
        {onBack && (
          <div className="van-nav-bar__left">
            <button type="button" className="mq-nav__side" aria-label="返回" onClick={onBack}>
              <Icon name="back" />
            </button>
          </div>
        )}
        <h1 className="van-nav-bar__title mq-ellipsis">{title}</h1>
        {right !== undefined && <div className="van-nav-bar__right">{right}</div>}
      </div>
    </header>
  );
}
