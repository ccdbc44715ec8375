import './tabs.css';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from './cx';

export interface TabItem<K extends string | number> {
  key: K;
  title: ReactNode;
}

interface TabsProps<K extends string | number> {
  items: readonly TabItem<K>[];
  active: K;
  onChange: (key: K) => void;
  /** The name of the tab list for screen readers. */
  label: string;
  /** `line` underlines the active tab, `chips` shows pills, for dates and filters. */
  look?: 'line' | 'chips';
  /** Whether the tabs share the width evenly. */
  fill?: boolean;
  /** Whether the tabs stay below the NavBar while the page scrolls. */
  sticky?: boolean;
  /** The content of the active tab. */
  children?: ReactNode;
}

/** Tabs with the panel of the active one. The keys Left, Right, Home and End select a tab. */
export function Tabs<K extends string | number>({
  items,
  active,
  onChange,
  label,
  look = 'line',
  fill,
  sticky,
  children,
}: TabsProps<K>) {
  const id = useId();
  const strip = useRef<HTMLDivElement>(null);
  const at = items.findIndex((item) => item.key === active);

  // Scroll the active tab into view, to the middle of the strip if possible.
  useEffect(() => {
    const tab = strip.current?.querySelectorAll<HTMLElement>('[role=tab]')[at];
    // The first tab is visible at the start, so nothing needs to be measured for it.
    if (!strip.current || !tab || (at === 0 && strip.current.scrollLeft === 0)) return;
    strip.current.scrollLeft = tab.offsetLeft - (strip.current.clientWidth - tab.offsetWidth) / 2;
  }, [at]);

  function move(event: KeyboardEvent) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const item = items[(to + items.length) % items.length];
    if (!item) return;
    onChange(item.key);
    strip.current?.querySelectorAll<HTMLElement>('[role=tab]')[items.indexOf(item)]?.focus();
  }

  return (
    <>
      <div
        ref={strip}
        role="tablist"
        aria-label={label}
        className={cx('mq-tabs', `mq-tabs--${look}`, fill && 'mq-tabs--fill', sticky && 'mq-tabs--sticky mq-frosted')}
        onKeyDown={move}
      >
        {items.map((item) => (
          <button
            key={item.key}
            type="button"
            role="tab"
            id={`${id}-${item.key}`}
            aria-selected={item.key === active}
            aria-controls={children === undefined ? undefined : `${id}-panel`}
            tabIndex={item.key === active ? 0 : -1}
            className="mq-tab mq-focus-inside"
            onClick={() => onChange(item.key)}
          >
            {item.title}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
          {children}
        </div>
      )}
    </>
  );
}
