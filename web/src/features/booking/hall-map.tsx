import './hall-map.css';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type Ref,
  type RefObject,
  startTransition,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Icon } from '../../ui/icon';
import { useElapsed } from '../../ui/use-elapsed';
import { initialFocus, sweetSpot } from './best-seats';
import { contentSize, nearestSeat, rowCenter, seatCenter, seatsBox } from './geometry';
import { type Hall, type HallSeat, neighbor, seatGroup, seatsOf } from './hall';
import { SeatLayer } from './seat-layer';
import { afterPaint, HallGestures, HallViewport } from './viewport';

export interface HallMapHandle {
  /** Marks the selected seats at once, before React renders the page with them. */
  mark: (picked: readonly string[]) => void;
  /** Pans until the seats are visible. */
  reveal: (ids: readonly string[]) => void;
  /** Moves the keyboard focus to the seat that the Tab key reaches. */
  focus: () => void;
}

interface HallMapProps {
  hall: Hall;
  hallName: string;
  picked: readonly string[];
  /** The seats that are offered as a replacement for chosen seats that were sold; undefined if none were sold. */
  offered?: readonly string[] | undefined;
  /** The index of the price area whose seats stand out from the others; undefined if all look alike. */
  area: number | undefined;
  onToggle: (id: string) => void;
  ref?: Ref<HallMapHandle>;
}

/** The largest distance in pixels between a tap and the center of the seat it selects: half a 44-pixel tap target. */
const tapRadius = 22;

/** The seat map: it can be panned and zoomed, and seats are selected by tap, mouse or keyboard. */
export function HallMap({ hall, hallName, picked, offered, area, onToggle, ref }: HallMapProps) {
  const map = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<SVGSVGElement>(null);
  const seats = useRef<SVGGElement>(null);
  const layer = useRef<SeatLayer>(null);
  const rail = useRef<HTMLDivElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const frame = useRef<SVGRectElement>(null);
  const viewport = useRef<HallViewport>(null);
  const dragged = useRef(false);
  const { width, height } = contentSize(hall);
  /** The id of the seat that the Tab key reaches. */
  const focus = useRef<string>(undefined);
  const painted = useFirstPaint();

  useLayoutEffect(() => {
    const elements = {
      map: map.current!,
      box: box.current!,
      content: content.current!,
      rail: rail.current!,
      screen: screen.current!,
      frame: frame.current!,
    };
    const created = new HallViewport(elements, { width, height });
    viewport.current = created;
    // The observer reports the size for the first time before the first paint. Reading the size here instead would make
    // the browser lay out the page twice.
    const observer = new ResizeObserver(([box]) => created.resize(box!.contentRect));
    observer.observe(elements.box);
    return () => {
      observer.disconnect();
      created.dispose();
    };
  }, [width, height]);

  useLayoutEffect(() => {
    layer.current ??= new SeatLayer(seats.current!);
    // The focused seat may be missing from a refreshed map.
    if (!hall.byId.has(focus.current ?? '')) focus.current = initialFocus(hall);
    layer.current.show(hall, picked, focus.current);
  }, [hall, picked]);

  useLayoutEffect(() => {
    if (!offered) return;
    layer.current?.offer(offered);
    return () => layer.current?.offer([]);
  }, [offered]);

  useEffect(() => {
    // Without this class, dragging the hall down also pulls the page, and the messaging app then closes it.
    document.documentElement.classList.add('no-pull');
    return () => document.documentElement.classList.remove('no-pull');
  }, []);

  useImperativeHandle(ref, () => ({
    mark(ids) {
      layer.current?.show(hall, ids, focus.current);
    },
    reveal(ids) {
      const shown = seatsOf(hall, ids);
      if (shown.length > 0) viewport.current?.reveal(seatsBox(shown));
    },
    focus() {
      if (focus.current !== undefined) layer.current?.focus(focus.current);
    },
  }));

  function handleClick(event: MouseEvent) {
    if (dragged.current) {
      dragged.current = false;
      return;
    }
    const seat = seatAt(event);
    if (!seat) return;
    focus.current = seat.id;
    onToggle(seat.id);
    if (!seat.available || event.detail === 0) return;
    const groupBox = seatsBox(seatsOf(hall, seatGroup(hall, seat.id)));
    viewport.current!.zoomToTapScale(viewport.current!.toViewport(event.clientX, event.clientY), groupBox);
  }

  function seatAt(event: MouseEvent): HallSeat | undefined {
    const hit = layer.current?.seatOf(event.target as Element);
    if (hit) return hit;
    const { current: view } = viewport.current!;
    const point = viewport.current!.toContent(event.clientX, event.clientY);
    return nearestSeat(hall, point, tapRadius / view.k);
  }

  function handleKeyDown(event: KeyboardEvent) {
    const current = hall.byId.get(focus.current ?? '');
    if (!current) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onToggle(current.id);
      return;
    }
    const next = neighbor(hall, current, event.key);
    if (!next) return;
    event.preventDefault();
    focus.current = next.id;
    layer.current?.focus(next.id);
    viewport.current?.reveal(seatsBox(seatsOf(hall, seatGroup(hall, next.id))));
  }

  const middle = width / 2;
  const best = sweetSpot(hall);
  const bestBox = best && seatsBox([best.from, best.to]);
  return (
    <div ref={map} className="hall mq-stack" data-area={area}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a tap between seats selects the nearest one */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid inside handles the keyboard */}
      <div ref={box} className="hall__box mq-fill mq-relative" onClick={handleClick}>
        <svg
          ref={content}
          className="hall__content"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="grid"
          tabIndex={-1}
          aria-label={`${hallName}座位图，用方向键移动，按空格键选择`}
          aria-multiselectable="true"
          onKeyDown={handleKeyDown}
        >
          <g aria-hidden="true">
            {bestBox && (
              <rect
                className="hall__best"
                x={bestBox.left}
                y={bestBox.top}
                width={bestBox.right - bestBox.left}
                height={bestBox.bottom - bestBox.top}
                rx={8}
              />
            )}
            <path className="hall__middle" d={`M${middle} ${rowCenter(0) - 24}V${rowCenter(hall.depth - 1) + 24}`} />
          </g>
          <g ref={seats} />
        </svg>
        <Rail hall={hall} ref={rail} />
        {painted && <HallGestures target={box} viewport={viewport} dragged={dragged} />}
      </div>
      {/* CSS places this strip above the hall. In the document it follows the hall, so that the Tab key reaches the
          seats first. */}
      <div className="hall__front mq-fixed mq-relative mq-container">
        <div className="hall__zoom mq-flex mq-sheet mq-clip">
          <button
            className="mq-center mq-second mq-focus-inside"
            type="button"
            aria-label="放大座位图"
            onClick={() => viewport.current?.zoomBy(1.5)}
          >
            <Icon name="plus" />
          </button>
          <button
            className="mq-center mq-second mq-focus-inside"
            type="button"
            aria-label="缩小座位图"
            onClick={() => viewport.current?.zoomBy(1 / 1.5)}
          >
            <Icon name="minus" />
          </button>
          <button
            type="button"
            className="hall__fit mq-center mq-second mq-focus-inside"
            aria-label="显示全部座位"
            onClick={() => viewport.current?.fitAll()}
          >
            <svg className="mq-icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />
            </svg>
          </button>
        </div>
        <HallScreen hallName={hallName} ref={screen} />
        <Minimap hall={hall} picked={picked} frame={frame} />
      </div>
    </div>
  );
}

/** The cinema screen with its light and the name of the hall. HallViewport moves it with the hall. */
function HallScreen({ hallName, ref }: { hallName: string; ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className="hall__screen" aria-hidden="true">
      <svg viewBox="0 0 200 48" preserveAspectRatio="none" aria-hidden="true">
        <path className="hall__light" d="M2 14Q100 -6 198 14L184 48H16Z" />
        <path className="hall__arc" d="M2 14Q100 -6 198 14" />
      </svg>
      <p className="hall__name mq-flex mq-middle mq-gap-4 mq-second mq-nowrap">
        {hallName && <span className="mq-ellipsis">{hallName}</span>}
        <span>银幕</span>
      </p>
    </div>
  );
}

/** The names of the rows at the left edge. HallViewport moves them with the hall. */
const Rail = memo(function Rail({ hall, ref }: { hall: Hall; ref: Ref<HTMLDivElement> }) {
  return (
    // The rail is hidden until HallViewport has set its scale, so that the browser lays out its text only once.
    <div ref={ref} className="hall__rail" style={railEnds(hall)} aria-hidden="true" hidden>
      {hall.rows.map((row) => (
        <span key={row.row} style={{ '--at': `${rowCenter(row.row)}px` } as React.CSSProperties}>
          {row.name}
        </span>
      ))}
    </div>
  );
});

/** The vertical centers of the first and the last row, which limit the background of the rail. */
function railEnds(hall: Hall): React.CSSProperties {
  const ends = { '--first': `${rowCenter(0)}px`, '--last': `${rowCenter(hall.depth - 1)}px` };
  return ends as React.CSSProperties;
}

interface MinimapProps {
  hall: Hall;
  picked: readonly string[];
  /** The rectangle that marks the visible part. HallViewport moves it. */
  frame: RefObject<SVGRectElement | null>;
}

/** A small picture of the hall with the visible part marked. CSS hides it while the entire hall is visible. */
function Minimap({ hall, picked, frame }: MinimapProps) {
  const { width, height } = contentSize(hall);
  // The seats of the minimap are drawn 400 ms after the hall, so that they do not delay the hall.
  const drawn = useElapsed(400);
  return (
    <svg className="hall__mini" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {drawn && <MinimapSeats hall={hall} />}
      <path className="hall__mini-picked" d={seatMarks(seatsOf(hall, picked))} />
      <rect ref={frame} className="hall__mini-frame" rx={12} />
    </svg>
  );
}

const MinimapSeats = memo(function MinimapSeats({ hall }: { hall: Hall }) {
  const seats = [...hall.byId.values()];
  const sold = seats.filter((seat) => !seat.available && !seat.unsold);
  const others = seats.filter((seat) => seat.available || seat.unsold);
  return (
    <>
      <path className="hall__mini-sold" d={seatMarks(sold)} />
      <path className="hall__mini-free" d={seatMarks(others)} />
    </>
  );
});

/** An SVG path with one short horizontal line for each seat. */
function seatMarks(seats: readonly HallSeat[]): string {
  return seats
    .map((seat) => {
      const { x, y } = seatCenter(seat);
      return `M${x - 12} ${y}h24`;
    })
    .join('');
}

/**
 * Reports whether the page was painted for the first time. Work that does not change what is visible waits for this.
 */
function useFirstPaint(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return painted;
}
