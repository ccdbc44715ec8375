import type { Hall, HallSeat } from './hall';

/**
 * Two coordinate systems are used here. Content units are the units of the SVG that shows the hall: a seat takes
 * `pitch` units. Viewport pixels are CSS pixels of the box that clips this SVG.
 */
export interface Size {
  width: number;
  height: number;
}

/** A rectangle in content units. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The transform from content units to viewport pixels: a scale by `k`, then a translation by `x`, `y` pixels. */
export interface View {
  x: number;
  y: number;
  k: number;
}

/** Content units between the centers of neighboring seats. */
export const pitch = 40;

/** The width of the outline of a seat (seat-layer.ts) in content units. */
export const seatWidth = 32;

/** Margins of the content around the seats, in content units. */
const sideMargin = 10;
const endMargin = 12;

/** The size of the hall in content units. */
export function contentSize(hall: Hall): Size {
  return { width: sideMargin * 2 + hall.columns * pitch, height: hall.depth * pitch + endMargin * 2 };
}

/** The center of a seat in content units. */
export function seatCenter(seat: Pick<HallSeat, 'row' | 'col'>): { x: number; y: number } {
  return { x: sideMargin + (seat.col + 0.5) * pitch, y: rowCenter(seat.row) };
}

/** The bounding box of at least one seat in content units. */
export function seatsBox(seats: readonly Pick<HallSeat, 'row' | 'col'>[]): Box {
  const centers = seats.map(seatCenter);
  const half = pitch / 2;
  return {
    left: Math.min(...centers.map(({ x }) => x)) - half,
    right: Math.max(...centers.map(({ x }) => x)) + half,
    top: Math.min(...centers.map(({ y }) => y)) - half,
    bottom: Math.max(...centers.map(({ y }) => y)) + half,
  };
}

/** The vertical center of a row in content units. */
export function rowCenter(row: number): number {
  return endMargin + (row + 0.5) * pitch;
}

/** The seat nearest to a point in content units, or undefined if none is within `radius` content units. */
export function nearestSeat(hall: Hall, point: { x: number; y: number }, radius: number): HallSeat | undefined {
  let best: HallSeat | undefined;
  let bestDistance = radius;
  for (const row of hall.rows) {
    if (Math.abs(rowCenter(row.row) - point.y) > radius) continue;
    for (const seat of row.seats) {
      const center = seatCenter(seat);
      const distance = Math.hypot(center.x - point.x, center.y - point.y);
      if (distance <= bestDistance) {
        best = seat;
        bestDistance = distance;
      }
    }
  }
  return best;
}

/**
 * The right edge, in pixels, of the rail: the column of row names at the left edge of the hall. In hall-map.css it is
 * the left inset of `.hall__rail` plus its width.
 */
export const railWidth = 28;

/** The margins in viewport pixels around a fully visible hall. The left one leaves room for the rail. */
const inset = { left: railWidth + 6, right: 12, top: 6, bottom: 12 };

/** The largest distance in pixels between an edge of an enlarged hall and the same edge of the viewport. */
export const panMargin = 40;

/** The rem of the specification in pixels: a tenth of the width of a page that is 400 pixels wide. */
const rem = 40;
/** The scale at which seats are 1.1 rem (44 pixels) apart, as the specification requires, and large enough to tap. */
export const tapScale = (1.1 * rem) / pitch;
/** The largest scale: seats are 64 pixels apart. */
export const maxScale = 64 / pitch;

/** The view that shows the entire hall, as large as possible but at most at tapScale. */
export function fit(content: Size, viewport: Size): View {
  return placed(wholeScale(content, viewport), content, viewport);
}

/** How many times larger the first view of a hall may be, at most, than the view that shows all of it. */
const maxOpening = 2.1;
/**
 * The smallest first scale: seats are 16 pixels apart. If the viewport is low, for example because the text is large,
 * the last rows are then outside of it.
 */
export const minOpening = 16 / pitch;

/**
 * The first view of a hall. Shown entirely, a hall much wider than a phone would leave half of the viewport empty, and
 * its seats would be too small to tell apart. Such a hall is enlarged until it fills the height, up to maxOpening, and
 * the view shows the middle of its rows.
 */
export function opening(content: Size, viewport: Size): View {
  const filled = (viewport.height - inset.top - inset.bottom) / content.height;
  const k = Math.max(minOpening, Math.min(filled, tapScale, wholeScale(content, viewport) * maxOpening));
  const view = placed(k, content, viewport);
  // If the hall begins to the left of the viewport, it is moved by up to half a seat, so that the rail does not cover
  // half of a seat.
  if (view.x >= 0) return view;
  const hidden = (railWidth - view.x) / k - sideMargin;
  return { ...view, x: view.x + (hidden - Math.round(hidden / pitch) * pitch) * k };
}

function wholeScale(content: Size, viewport: Size): number {
  const width = viewport.width - inset.left - inset.right;
  const height = viewport.height - inset.top - inset.bottom;
  return Math.min(width / content.width, height / content.height, tapScale);
}

/**
 * The largest distance in pixels of a low hall from the upper edge, in addition to `inset.top`. It is small, so that
 * the hall is not far below the cinema screen.
 */
const maxDrop = 18;
/** Pixels between the end of the last visible row and the lower edge, if the hall continues below it. */
const cutMargin = 4;

/**
 * The view at scale `k` with the hall centered horizontally. Half of the free height is above the hall, but at most
 * maxDrop. A hall that is higher than the viewport is moved down by a part of a row, so that the lower edge of the
 * viewport does not cut a row in half.
 */
function placed(k: number, content: Size, viewport: Size): View {
  const width = viewport.width - inset.left - inset.right;
  const free = viewport.height - inset.top - inset.bottom - content.height * k;
  const rows = viewport.height - inset.top - cutMargin - endMargin * k;
  return {
    k,
    x: inset.left + (width - content.width * k) / 2,
    y: inset.top + (free < 0 ? rows % (pitch * k) : Math.min(maxDrop, free / 2)),
  };
}

/** If two rows are less than this many pixels apart, only every second row name is shown. */
const rowNameHeight = 14;

/** Reports whether the row names would overlap at scale `k` if every row had one. */
export function rowNamesOverlap(k: number): boolean {
  return k * pitch < rowNameHeight;
}

/**
 * The allowed view that is nearest to `view`. Its scale is between that of `fit` and maxScale. At the scale of `fit`
 * the position is fixed. An enlarged hall that is larger than the viewport leaves at most panMargin empty at each edge.
 * A smaller one only has to reach into the middle third of the viewport, which leaves enough freedom to keep a tapped
 * seat under the finger while the hall is enlarged.
 */
export function clamp(view: View, content: Size, viewport: Size): View {
  const whole = fit(content, viewport);
  if (view.k <= whole.k) return whole;
  const k = Math.min(view.k, Math.max(maxScale, whole.k));
  return {
    k,
    x: clampOffset(view.x, content.width * k, viewport.width),
    y: clampOffset(view.y, content.height * k, viewport.height),
  };
}

/** Limits the offset of the hall in one direction. */
function clampOffset(offset: number, content: number, viewport: number): number {
  const [low, high] =
    content < viewport - 2 * panMargin
      ? [viewport / 3 - content, (viewport * 2) / 3]
      : [Math.min(0, viewport - content - panMargin), panMargin];
  return Math.min(high, Math.max(low, offset));
}

/** Changes the scale to `k`, so that the place of the hall at `point` (viewport pixels) stays there. */
export function zoomAt(view: View, point: { x: number; y: number }, k: number): View {
  const factor = k / view.k;
  return { k, x: point.x - (point.x - view.x) * factor, y: point.y - (point.y - view.y) * factor };
}

/** Pixels between a revealed box and the edges of the viewport, or on the left, the right edge of the rail. */
const revealMargin = 8;

/** Pans by the smallest distance that makes a box visible and not covered by the rail. The scale is unchanged. */
export function reveal(view: View, box: Box, viewport: Size): View {
  const shift = (from: number, to: number, low: number, high: number) =>
    from < low ? low - from : to > high ? Math.max(high - to, low - from) : 0;
  const x = (at: number) => view.x + at * view.k;
  const y = (at: number) => view.y + at * view.k;
  return {
    k: view.k,
    x: view.x + shift(x(box.left), x(box.right), railWidth + revealMargin, viewport.width - revealMargin),
    y: view.y + shift(y(box.top), y(box.bottom), revealMargin, viewport.height - revealMargin),
  };
}

/** The part of the content that is visible. */
export function visiblePart({ x, y, k }: View, content: Size, viewport: Size): Box {
  return {
    left: Math.max(0, -x / k),
    right: Math.min(content.width, (viewport.width - x) / k),
    top: Math.max(0, -y / k),
    bottom: Math.min(content.height, (viewport.height - y) / k),
  };
}

/** Reports whether the entire hall is visible: the scale is that of `fit` or smaller, with a tolerance of 2 %. */
export function isFitted(view: View, content: Size, viewport: Size): boolean {
  return view.k <= fit(content, viewport).k * 1.02;
}
