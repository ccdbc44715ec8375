import './index-bar.css';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';

export interface IndexSection {
  /** The label on the rail: a letter, or 热 for the hot cities. */
  letter: string;
  /** The heading above the section; the letter by default. */
  title?: string;
  content: ReactNode;
}

/**
 * Sections with letters and a rail of the letters on the right. A tap or a drag on the rail scrolls to a section, and
 * the rail marks the visible section. For assistive technology the rail is one slider, because on a low phone the
 * letters are too small for buttons. `top` is the height in pixels of the fixed bars at the top of the page.
 */
export function IndexBar({ sections, top = 0 }: { sections: readonly IndexSection[]; top?: number }) {
  const root = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(sections[0]?.letter);
  const [touched, setTouched] = useState<string>();

  useEffect(() => {
    let frame = 0;
    function spy() {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const parts = root.current?.querySelectorAll<HTMLElement>('[data-letter]') ?? [];
        let at: string | undefined;
        for (const part of parts) {
          if (part.getBoundingClientRect().top > top + 1) break;
          at = part.dataset.letter;
        }
        setCurrent(at ?? parts[0]?.dataset.letter);
      });
    }
    window.addEventListener('scroll', spy, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', spy);
    };
  }, [top]);

  function goTo(letter: string | undefined) {
    if (letter === undefined) return;
    setCurrent(letter);
    root.current?.querySelector(`[data-letter="${CSS.escape(letter)}"]`)?.scrollIntoView({ block: 'start' });
  }

  function slide(event: PointerEvent) {
    if (event.pressure === 0 && event.pointerType !== 'touch') return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-goto]');
    const letter = under?.dataset.goto;
    if (!letter || letter === touched) return;
    setTouched(letter);
    goTo(letter);
  }

  const place = Math.max(
    0,
    sections.findIndex(({ letter }) => letter === current),
  );
  const last = sections.length - 1;

  function step(event: KeyboardEvent) {
    const to = {
      ArrowDown: place + 1,
      ArrowRight: place + 1,
      ArrowUp: place - 1,
      ArrowLeft: place - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    goTo(sections[Math.min(last, Math.max(0, to))]?.letter);
  }

  return (
    <div
      ref={root}
      className="mq-index mq-relative"
      style={{ '--index-top': `${top}px`, '--letters': sections.length } as React.CSSProperties}
    >
      {sections.map((section) => (
        <section key={section.letter} data-letter={section.letter} className="mq-index__section">
          <h2 className="mq-index__title mq-note mq-strong">{section.title ?? section.letter}</h2>
          {section.content}
        </section>
      ))}
      <div className="mq-index__side">
        <div
          className="mq-index__rail mq-stack"
          role="slider"
          tabIndex={0}
          aria-label="字母索引"
          aria-orientation="vertical"
          aria-valuemin={1}
          aria-valuemax={sections.length}
          aria-valuenow={place + 1}
          aria-valuetext={sections[place]?.title ?? current}
          onKeyDown={step}
          onPointerDown={slide}
          onPointerMove={slide}
          onPointerUp={() => setTouched(undefined)}
          onPointerLeave={() => setTouched(undefined)}
          onPointerCancel={() => setTouched(undefined)}
        >
          {sections.map(({ letter }) => (
            <span
              key={letter}
              data-goto={letter}
              className={letter === current ? 'mq-index__letter mq-index__letter--current' : 'mq-index__letter'}
              aria-hidden="true"
            >
              {letter}
            </span>
          ))}
        </div>
      </div>
      {touched !== undefined && (
        <div className="mq-index__bubble mq-center mq-white" aria-hidden="true">
          {touched}
        </div>
      )}
    </div>
  );
}
