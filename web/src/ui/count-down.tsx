import './count-down.css';
import { useEffect, useRef, useState } from 'react';
import { cx } from './cx';

/**
 * Whole seconds until a moment in milliseconds. It looks at the clock on every tick and when the page comes back, so that
 * a phone that slept shows the truth. `offset` (ms) is how far the clock that counts is ahead of the phone's.
 */
export function useSecondsLeft(until: number | undefined, offset = 0): number {
  const left = () => (until === undefined ? 0 : Math.max(0, Math.ceil((until - (Date.now() + offset)) / 1000)));
  const [seconds, setSeconds] = useState(left);
  const [seen, setSeen] = useState(until);
  if (seen !== until) {
    setSeen(until);
    setSeconds(left());
  }
  useEffect(() => {
    if (until === undefined) return;
    const look = () => setSeconds(Math.max(0, Math.ceil((until - (Date.now() + offset)) / 1000)));
    look();
    const timer = setInterval(look, 250);
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pageshow', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pageshow', look);
    };
  }, [until, offset]);
  return seconds;
}

interface CountDownProps {
  /** The moment it runs to, in milliseconds. */
  until: number;
  /** How far the clock that counts is ahead of the phone's, in milliseconds. */
  offset?: number;
  /** Called once, when it reaches zero. */
  onEnd?: () => void;
  /** Under this many seconds the colour warns; 120 by default. */
  warnUnder?: number;
}

/** Minutes and seconds left: 14:59. */
export function CountDown({ until, offset = 0, onEnd, warnUnder = 120 }: CountDownProps) {
  const seconds = useSecondsLeft(until, offset);
  const end = useRef(onEnd);
  const ended = useRef<number | undefined>(undefined);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (seconds > 0 || ended.current === until) return;
    ended.current = until;
    end.current?.();
  }, [seconds, until]);

  const text = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <span className={cx('mq-count', seconds < warnUnder && 'mq-count--soon')} role="timer" aria-label={`剩余${text}`}>
      {text}
    </span>
  );
}
