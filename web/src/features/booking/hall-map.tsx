import './hall-map.css';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { Icon } from '../../ui/icon';
import { entrance } from './best-seats';
import { contentSize, nearestSeat, rowCentre, screenCone, screenPath, seatsBox } from './geometry';
import { type Hall, type HallSeat, seatsOf, together } from './hall';
import { HallGestures } from './hall-gestures';
import { neighbour } from './keyboard';
import { Minimap } from './minimap';
import { SeatLayer } from './seat-layer';
import { Stage } from './stage';
import { usePainted } from './use-painted';

export interface HallMapHandle {
  /** Shows at once what is chosen, before anything else on the page knows of it. */
  mark: (picked: readonly string[]) => void;
  /** Brings seats into sight. */
  reveal: (ids: readonly string[]) => void;
}

interface HallMapProps {
  hall: Hall;
  hallName: string;
  picked: readonly string[];
  onToggle: (id: string) => void;
  ref?: Ref<HallMapHandle>;
}

/** Half of what a fingertip covers, in pixels: a tap this close to a seat means it. */
const reach = 22;

/** The hall as a picture to move, enlarge and choose from: by finger, mouse, or arrow keys. */
export function HallMap({ hall, hallName, picked, onToggle, ref }: HallMapProps) {
  const stageBox = useRef<HTMLDivElement>(null);
  const content = useRef<SVGSVGElement>(null);
  const seats = useRef<SVGGElement>(null);
  const layer = useRef<SeatLayer>(null);
  const rail = useRef<HTMLDivElement>(null);
  const name = useRef<HTMLDivElement>(null);
  const frame = useRef<SVGRectElement>(null);
  const stage = useRef<Stage>(null);
  const dragged = useRef(false);
  const { width, height } = contentSize(hall);
  /** The seat that the Tab key leads to. */
  const focus = useRef<string>(undefined);
  const painted = usePainted();

  useLayoutEffect(() => {
    const parts = {
      stage: stageBox.current!,
      content: content.current!,
      rail: rail.current!,
      name: name.current!,
      frame: frame.current!,
    };
    const made = new Stage(parts, { width, height });
    stage.current = made;
    const watch = new ResizeObserver(() => made.measure());
    watch.observe(parts.stage);
    return () => {
      watch.disconnect();
      made.stop();
    };
  }, [width, height]);

  // After the stage, which asks the browser for its size: with the seats there already it would lay them out twice.
  useLayoutEffect(() => {
    layer.current ??= new SeatLayer(seats.current!);
    // The seat may have left the map since.
    if (!hall.byId.has(focus.current ?? '')) focus.current = entrance(hall);
    layer.current.show(hall, picked, focus.current);
  }, [hall, picked]);

  useEffect(() => {
    // Pulling the hall down must not pull the page, which the messaging app takes for closing it.
    document.documentElement.classList.add('no-pull');
    return () => document.documentElement.classList.remove('no-pull');
  }, []);

  useImperativeHandle(ref, () => ({
    mark(ids) {
      layer.current?.show(hall, ids, focus.current);
    },
    reveal(ids) {
      const shown = seatsOf(hall, ids);
      if (shown.length > 0) stage.current?.reveal(seatsBox(shown));
    },
  }));

  function click(event: MouseEvent) {
    if (dragged.current) {
      dragged.current = false;
      return;
    }
    const seat = seatAt(event);
    if (!seat) return;
    focus.current = seat.id;
    onToggle(seat.id);
    if (!seat.available || event.detail === 0) return;
    const whole = seatsBox(seatsOf(hall, together(hall, seat.id)));
    stage.current!.approach(stage.current!.toStage(event.clientX, event.clientY), whole);
  }

  function seatAt(event: MouseEvent): HallSeat | undefined {
    const hit = (event.target as Element).closest<SVGElement>('[data-seat]');
    if (hit) return hall.byId.get(hit.dataset.seat ?? '');
    const at = stage.current!;
    return nearestSeat(hall, at.toContent(event.clientX, event.clientY), reach / at.current.k);
  }

  function press(event: KeyboardEvent) {
    const here = hall.byId.get(focus.current ?? '');
    if (!here) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onToggle(here.id);
      return;
    }
    const next = neighbour(hall, here, event.key);
    if (!next) return;
    event.preventDefault();
    focus.current = next.id;
    layer.current?.focus(next.id);
    stage.current?.reveal(seatsBox(seatsOf(hall, together(hall, next.id))));
  }

  const middle = width / 2;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: taps between the seats count for the nearest of them
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works on the grid inside
    <div ref={stageBox} className="hall" onClick={click}>
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
        onKeyDown={press}
      >
        <g aria-hidden="true">
          <path className="hall__cone" d={screenCone(hall)} />
          <path className="hall__screen" d={screenPath(hall)} />
          <path className="hall__middle" d={`M${middle} ${rowCentre(0) - 24}V${rowCentre(hall.depth - 1) + 24}`} />
        </g>
        <g ref={seats} />
      </svg>
      <div ref={name} className="hall__name" aria-hidden="true">
        {hallName} 银幕
      </div>
      <Rail hall={hall} ref={rail} />
      {painted && <HallGestures target={stageBox} stage={stage} dragged={dragged} />}
      <Minimap hall={hall} picked={picked} frame={frame} />
      <div className="hall__zoom">
        <button type="button" aria-label="放大座位图" onClick={() => stage.current?.zoomBy(1.5)}>
          <Icon name="plus" />
        </button>
        <button type="button" aria-label="缩小座位图" onClick={() => stage.current?.zoomBy(1 / 1.5)}>
          <Icon name="minus" />
        </button>
        <button type="button" className="hall__fit" aria-label="显示全部座位" onClick={() => stage.current?.fitAll()}>
          <Icon name="seats" />
        </button>
      </div>
    </div>
  );
}

/** The names of the rows at the left edge; the stage moves them along. */
const Rail = memo(function Rail({ hall, ref }: { hall: Hall; ref: Ref<HTMLDivElement> }) {
  return (
    // Hidden until the stage knows its scale: its letters would be laid out for one that never shows.
    <div ref={ref} className="hall__rail" style={railEnds(hall)} aria-hidden="true" hidden>
      {hall.rows.map((row) => (
        <span key={row.row} style={{ '--at': `${rowCentre(row.row)}px` } as React.CSSProperties}>
          {row.name}
        </span>
      ))}
    </div>
  );
});

function railEnds(hall: Hall): React.CSSProperties {
  const ends = { '--first': `${rowCentre(0)}px`, '--last': `${rowCentre(hall.depth - 1)}px` };
  return ends as React.CSSProperties;
}
