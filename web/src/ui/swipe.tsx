import './swipe.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from './icon';

interface SwipeProps {
  /** The name of the carousel for screen readers. */
  label: string;
  slides: readonly { key: string; content: ReactNode }[];
  /**
   * Milliseconds after which the next slide is shown; undefined for manual scrolling only. With reduced motion the
   * slides do not move automatically.
   */
  autoplay?: number;
}

/**
 * A carousel that uses the browser's scrolling. The automatic movement pauses while the carousel is touched or focused
 * or the page is hidden, and a button stops it.
 */
export function Swipe({ label, slides, autoplay }: SwipeProps) {
  const track = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const [held, setHeld] = useState(false);
  const [paused, setPaused] = useState(false);
  const count = slides.length;
  const moves = autoplay !== undefined && count > 1 && !matchMedia('(prefers-reduced-motion: reduce)').matches;

  useEffect(() => {
    if (!moves || held || paused) return;
    const timer = setInterval(() => {
      const element = track.current;
      if (!element || document.hidden) return;
      const next = (Math.round(element.scrollLeft / element.clientWidth) + 1) % count;
      element.scrollTo({ left: next * element.clientWidth, behavior: 'smooth' });
    }, autoplay);
    return () => clearInterval(timer);
  }, [autoplay, moves, held, paused, count]);

  return (
    <section
      className="mq-swipe mq-relative mq-clip"
      aria-roledescription="轮播"
      aria-label={label}
      onPointerDown={() => setHeld(true)}
      onPointerUp={() => setHeld(false)}
      onPointerCancel={() => setHeld(false)}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div
        ref={track}
        className="mq-swipe__track"
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setAt(Math.round(scrollLeft / (clientWidth || 1)))
        }
      >
        {slides.map((slide, i) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is not a fieldset
          <div key={slide.key} className="mq-swipe__slide" role="group" aria-label={`${i + 1} / ${count}`}>
            {slide.content}
          </div>
        ))}
      </div>
      {moves && (
        <button
          type="button"
          className="mq-swipe__pause mq-focus-inside mq-center mq-white"
          aria-label={paused ? '继续轮播' : '暂停轮播'}
          onClick={() => setPaused(!paused)}
        >
          <Icon name={paused ? 'play' : 'pause'} />
        </button>
      )}
      {count > 1 && (
        <div className="mq-swipe__dots mq-flex mq-pill" aria-hidden="true">
          {slides.map((slide, i) => (
            <i key={slide.key} className={i === at ? 'is-current' : undefined} />
          ))}
        </div>
      )}
    </section>
  );
}
