import { useGesture } from '@use-gesture/react';
import { memo, type RefObject } from 'react';
import {
  type Box,
  clamp,
  fit,
  isFitted,
  opening,
  reveal,
  rowNamesOverlap,
  type Size,
  seatWidth,
  tapScale,
  type View,
  visiblePart,
  zoomAt,
} from './geometry';

interface ViewportElements {
  /**
   * The seat map. HallViewport sets its attributes `data-fitted` (the entire hall is visible), `data-moving` and
   * `data-gliding` (moving with a CSS transition).
   */
  map: HTMLElement;
  /** The box that clips the hall. */
  box: HTMLElement;
  content: SVGElement;
  /** The column of row names at the left edge. */
  rail: HTMLElement;
  /** The drawing of the cinema screen, which stays in front of the middle of the hall. */
  screen: HTMLElement;
  /** The rectangle on the minimap that marks the visible part. */
  frame: SVGRectElement;
}

/** The width of a seat in pixels below which a tap enlarges the hall. */
const enoughWidth = 32;

/**
 * Milliseconds after the last movement after which the hall counts as at rest. The CSS transition has ended by then.
 */
const settleMs = 700;

/**
 * Places, pans and zooms the hall. `resize` must be called first with the size of the box. The view is kept here and in
 * the styles of a few elements instead of React's state, so that a movement does not render up to a thousand seats.
 */
export class HallViewport {
  private view: View = { x: 0, y: 0, k: 1 };
  /**
   * The function that computed the view; undefined after the customer has moved the hall. After a resize it computes
   * the view again.
   */
  private placement: typeof fit | undefined = opening;
  /** The box that `reveal` has made visible. It stays visible when the view is computed again. */
  private revealed: Box | undefined;
  private size: Size = { width: 0, height: 0 };
  private settling: ReturnType<typeof setTimeout> | undefined;
  private cancelScheduled = () => {};

  constructor(
    private readonly elements: ViewportElements,
    private readonly content: Size,
  ) {}

  get current(): Readonly<View> {
    return this.view;
  }

  /** Sets the size of the box. If the customer has not moved the hall, its view is computed again. */
  resize({ width, height }: Size): void {
    this.size = { width, height };
    const placed = this.placement?.(this.content, this.size) ?? this.view;
    const shown = this.placement && this.revealed ? reveal(placed, this.revealed, this.size) : placed;
    this.apply(shown === placed && this.placement ? placed : clamp(shown, this.content, this.size));
  }

  /** Pans to an offset in viewport pixels. */
  panTo(x: number, y: number): void {
    this.cancelScheduled();
    this.placement = undefined;
    this.apply(clamp({ ...this.view, x, y }, this.content, this.size));
    this.markMoving();
  }

  /** Pans by a distance in viewport pixels. */
  panBy(x: number, y: number): void {
    this.panTo(this.view.x + x, this.view.y + y);
  }

  /** Changes the scale to k around a point in viewport pixels; by default around the center. */
  zoomTo(k: number, point: { x: number; y: number } = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.cancelScheduled();
    this.placement = undefined;
    const limited = clamp({ ...this.view, k }, this.content, this.size).k;
    this.apply(clamp(zoomAt(this.view, point, limited), this.content, this.size));
    this.markMoving();
  }

  /** Multiplies the scale by a factor, with a transition. */
  zoomBy(factor: number): void {
    this.startTransition();
    this.zoomTo(this.view.k * factor);
  }

  /** Shows the entire hall, with a transition. */
  fitAll(): void {
    this.cancelScheduled();
    this.startTransition();
    this.placement = fit;
    this.revealed = undefined;
    this.apply(fit(this.content, this.size));
    this.markMoving();
  }

  /**
   * Zooms to tapScale if seats are narrower than enoughWidth. `box` contains the tapped seat, and `point` is where it
   * was tapped, in viewport pixels. After the zoom the middle of the box is at this point. The caller passes the box,
   * because during a transition the point cannot be converted to a place in the hall.
   */
  zoomToTapScale(point: { x: number; y: number }, box: Box): void {
    if (this.view.k * seatWidth >= enoughWidth) return;
    this.schedule(() => {
      this.startTransition();
      this.placement = undefined;
      const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
      const under = { k: tapScale, x: point.x - middle.x * tapScale, y: point.y - middle.y * tapScale };
      const limited = clamp(under, this.content, this.size);
      this.apply(clamp(reveal(limited, box, this.size), this.content, this.size));
      this.markMoving();
    });
  }

  /** Pans until a box is visible, with a transition. */
  reveal(box: Box): void {
    this.revealed = box;
    const next = clamp(reveal(this.view, box, this.size), this.content, this.size);
    if (next.x === this.view.x && next.y === this.view.y) return;
    this.schedule(() => {
      this.startTransition();
      this.apply(next);
      this.markMoving();
    });
  }

  /** Converts client coordinates of the window to content units. */
  toContent(clientX: number, clientY: number): { x: number; y: number } {
    const { x, y } = this.toViewport(clientX, clientY);
    return { x: (x - this.view.x) / this.view.k, y: (y - this.view.y) / this.view.k };
  }

  /** Converts client coordinates of the window to viewport pixels. */
  toViewport(clientX: number, clientY: number): { x: number; y: number } {
    const box = this.elements.box.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** Ends a running transition, because a gesture moves the hall without one. */
  stopTransition(): void {
    delete this.elements.map.dataset.gliding;
  }

  /** Cancels the timers. Call it before the elements are removed. */
  dispose(): void {
    clearTimeout(this.settling);
    this.cancelScheduled();
  }

  /**
   * Calls `move`, which moves the hall, after the next paint. A call before it would delay the mark on the tapped seat,
   * because a large hall takes long to redraw. If the customer moves the hall before that paint, the call is dropped.
   */
  private schedule(move: () => void): void {
    this.cancelScheduled();
    this.cancelScheduled = afterPaint(move);
  }

  private startTransition(): void {
    this.elements.map.dataset.gliding = 'true';
  }

  private markMoving(): void {
    this.elements.map.dataset.moving = 'true';
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      delete this.elements.map.dataset.moving;
      delete this.elements.map.dataset.gliding;
    }, settleMs);
  }

  private apply(view: View): void {
    this.view = view;
    const { map, content, rail, screen, frame } = this.elements;
    content.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    screen.style.setProperty('--middle', `${view.x + (this.content.width * view.k) / 2}px`);
    // The properties are set only on the rail, and not on the map: every seat would inherit them, and the browser would
    // restyle all seats on every move.
    rail.hidden = false;
    rail.style.setProperty('--y', `${view.y}px`);
    rail.style.setProperty('--k', String(view.k));
    rail.toggleAttribute('data-sparse', rowNamesOverlap(view.k));
    map.toggleAttribute('data-fitted', isFitted(view, this.content, this.size));
    const { left, right, top, bottom } = visiblePart(view, this.content, this.size);
    frame.setAttribute('x', String(left));
    frame.setAttribute('y', String(top));
    frame.setAttribute('width', String(right - left));
    frame.setAttribute('height', String(bottom - top));
  }
}

/** Runs a function after the next paint. Returns a function that cancels it. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

interface HallGesturesProps {
  target: RefObject<HTMLElement | null>;
  viewport: RefObject<HallViewport | null>;
  /** Set to true if the current touch has moved the hall, so that its click does not count as a tap on a seat. */
  dragged: RefObject<boolean>;
}

/** The largest movement of a tap, in pixels. */
const tapSlack = 4;

/**
 * Pans and zooms the hall by touch, mouse and touchpad. It is a component, although it renders nothing, because a
 * component can be mounted after the first paint and a hook cannot.
 */
export const HallGestures = memo(function HallGestures({ target, viewport, dragged }: HallGesturesProps) {
  useGesture(
    {
      onDragStart: () => viewport.current?.stopTransition(),
      onPointerDown: () => {
        dragged.current = false;
      },
      onDrag: ({ pinching, cancel, first, memo, movement: [mx, my] }) => {
        if (pinching) return cancel();
        const from = first || !memo ? viewport.current!.current : memo;
        dragged.current ||= Math.hypot(mx, my) > tapSlack;
        viewport.current!.panTo(from.x + mx, from.y + my);
        return from;
      },
      onPinch: ({ first, memo, origin: [ox, oy], movement: [by] }) => {
        const from: number = first || !memo ? viewport.current!.current.k : memo;
        dragged.current = true;
        viewport.current!.stopTransition();
        viewport.current!.zoomTo(from * by, viewport.current!.toViewport(ox, oy));
        return from;
      },
      onWheel: ({ event, delta: [dx, dy], ctrlKey }) => {
        // A pinch on a touchpad arrives as a wheel event with ctrl and is handled by onPinch.
        if (ctrlKey) return;
        event.preventDefault();
        viewport.current!.stopTransition();
        viewport.current!.panBy(-dx, -dy);
      },
    },
    { target, eventOptions: { passive: false }, drag: { threshold: tapSlack } },
  );
  return null;
});
