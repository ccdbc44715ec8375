import './pull-refresh.css';
import { type ReactNode, type TouchEvent, useRef, useState } from 'react';
import { cx } from './cx';
import { Loading } from './loading';

/** The number of pixels by which the box must be pulled, so that it reloads on release. */
const refreshDistance = 64;
/** The maximum number of pixels that the box follows the finger. */
const maxDistance = 96;
/** Pixels by which the box stays pulled while it reloads. */
const loadingDistance = 44;
/** The number of pixels after which a touch is classified as a pull or as a sideways swipe. */
const directionThreshold = 8;

interface PullRefreshProps {
  onRefresh: () => Promise<unknown>;
  /** The class of the box that is pulled. */
  className?: string;
  children: ReactNode;
}

/**
 * Loads the content again when the page is pulled down at its top. This gesture must not be the only way to do that.
 */
export function PullRefresh({ onRefresh, className, children }: PullRefreshProps) {
  const start = useRef<{ x: number; y: number; pulls: boolean }>(undefined);
  /** Pixels by which the box is pulled. */
  const [by, setBy] = useState(0);
  const [loading, setLoading] = useState(false);

  function onTouchStart(event: TouchEvent) {
    const touch = event.touches[0];
    // Touches of a dialog bubble to here if the dialog is rendered inside the box.
    const inDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
    start.current =
      window.scrollY > 0 || loading || !touch || inDialog
        ? undefined
        : { x: touch.clientX, y: touch.clientY, pulls: false };
  }

  function onTouchMove(event: TouchEvent) {
    const touch = event.touches[0];
    if (start.current === undefined || !touch || window.scrollY > 0) return;
    const down = touch.clientY - start.current.y;
    if (!start.current.pulls) {
      const aside = Math.abs(touch.clientX - start.current.x);
      if (Math.abs(down) < directionThreshold && aside < directionThreshold) return;
      // A sideways touch scrolls a strip of pictures, and an upward one scrolls the page.
      if (aside > down) {
        start.current = undefined;
        return;
      }
      start.current.pulls = true;
    }
    setBy(Math.max(0, Math.min(down * 0.45, maxDistance)));
  }

  async function onTouchEnd() {
    if (start.current === undefined) return;
    start.current = undefined;
    if (by < refreshDistance) return setBy(0);
    setBy(loadingDistance);
    setLoading(true);
    try {
      await onRefresh();
    } finally {
      setBy(0);
      setLoading(false);
    }
  }

  return (
    <div onTouchStart={onTouchStart} onTouchMove={onTouchMove} onTouchEnd={onTouchEnd} onTouchCancel={onTouchEnd}>
      <div
        className={cx('mq-relative', (by === 0 || loading) && 'mq-pull__moving', className)}
        style={by > 0 ? { transform: `translateY(${by}px)` } : undefined}
      >
        {by > 0 && (
          <div className="mq-pull__hint mq-center mq-note">
            {loading ? <Loading>刷新中…</Loading> : by < refreshDistance ? '下拉刷新' : '松开刷新'}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}
