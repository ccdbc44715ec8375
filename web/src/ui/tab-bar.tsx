import './tab-bar.css';
import type { MouseEvent } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';

export interface TabBarItem {
  href: string;
  text: string;
  icon: IconName;
  active: boolean;
}

/**
 * The links to the app's main pages, at the bottom. `onGo` handles a click, so that the router navigates instead of the
 * browser.
 */
export function TabBar({ items, onGo }: { items: readonly TabBarItem[]; onGo: (href: string) => void }) {
  function go(event: MouseEvent, href: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onGo(href);
  }
  return (
    <nav className="van-tabbar mq-tabbar mq-sheet mq-line-above" aria-label="主导航">
      {items.map((item) => (
        <a
          key={item.href}
          href={item.href}
          className={cx('van-tabbar-item', item.active && 'van-tabbar-item--active')}
          aria-current={item.active ? 'page' : undefined}
          onClick={(event) => go(event, item.href)}
        >
          <span className="van-tabbar-item__icon">
            <Icon name={item.icon} />
          </span>
          <span className="van-tabbar-item__text">{item.text}</span>
        </a>
      ))}
    </nav>
  );
}
