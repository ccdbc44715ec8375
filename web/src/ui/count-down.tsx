import './count-down.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { cx } from './cx';

/**
 * Whole seconds until a time in unix milliseconds. The clock is read several times a second and when the page becomes
 * visible, so that the value is right even after the phone has slept. `offset` is how many milliseconds the shop's
 * clock is ahead of the phone's.
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
  /** The end in unix milliseconds. */
  until: number;
  /** How many milliseconds the shop's clock is ahead of the phone's. */
  offset?: number;
  /** Called once, at zero. */
  onEnd?: () => void;
  /** The name of the time: 支付时间. With it, screen readers announce the time at each of `marks` and at the end. */
  spoken?: string;
}

/** The number of seconds left below which the color is a warning. */
const warningUnder = 120;
/** The numbers of seconds left at which the time is announced. */
const marks = [30, 60, 120, 300];

/**
 * The text that screen readers announce for a number of seconds left: 支付时间不足 5 分钟. It changes only at the marks; before
 * the first one it is empty.
 */
function announcement(what: string, seconds: number): string {
  if (seconds === 0) return `${what}已结束`;
  const mark = marks.find((least) => seconds <= least);
  if (mark === undefined) return '';
  return `${what}不足 ${mark < 60 ? `${mark} 秒` : `${mark / 60} 分钟`}`;
}

/** Minutes and seconds left: 14:59. */
export function CountDown({ until, offset = 0, onEnd, spoken }: CountDownProps) {
  const seconds = useSecondsLeft(until, offset);
  const ended = useRef<number | undefined>(undefined);
  const end = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (seconds > 0 || ended.current === until) return;
    ended.current = until;
    end();
  }, [seconds, until]);

  const text = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <>
      <span
        className={cx('mq-count', seconds < warningUnder && 'mq-count--soon')}
        role="timer"
        aria-label={`剩余${text}`}
      >
        {text}
      </span>
      {spoken && (
        <span className="mq-hidden" role="status">
          {announcement(spoken, seconds)}
        </span>
      )}
    </>
  );
}
