import './nav-bar.css';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon } from './icon';

interface NavBarProps {
  title: ReactNode;
  /** Shows the arrow. */
  onBack?: () => void;
  right?: ReactNode;
  /** Lies over a picture: no ground of its own, white text. */
  over?: boolean;
}

/** The bar at the top of a page; it stays while the page scrolls. The title is the page's h1. */
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
