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

/** Content units between the centres of neighbouring seats. */
export const pitch = 40;

/** Margins of the content around the seats, in content units. The curve of the screen is drawn in the upper one. */
const sideMargin = 10;
const topMargin = 92;
const bottomMargin = 12;

/** The size of the whole hall in content units. */
export function contentSize(hall: Hall): Size {
  return { width: sideMargin * 2 + hall.columns * pitch, height: topMargin + hall.depth * pitch + bottomMargin };
}

/** The centre of a seat in content units. */
export function seatCentre(seat: Pick<HallSeat, 'row' | 'col'>): { x: number; y: number } {
  return { x: sideMargin + (seat.col + 0.5) * pitch, y: rowCentre(seat.row) };
}

/** The bounding box of at least one seat in content units. */
export function seatsBox(seats: readonly Pick<HallSeat, 'row' | 'col'>[]): Box {
  const centres = seats.map(seatCentre);
  const half = pitch / 2;
  return {
    left: Math.min(...centres.map(({ x }) => x)) - half,
    right: Math.max(...centres.map(({ x }) => x)) + half,
    top: Math.min(...centres.map(({ y }) => y)) - half,
    bottom: Math.max(...centres.map(({ y }) => y)) + half,
  };
}

/** The vertical centre of a row in content units. */
export function rowCentre(row: number): number {
  return topMargin + (row + 0.5) * pitch;
}

/** The seat nearest to a point in content units, or undefined if none is within `radius` content units. */
export function nearestSeat(hall: Hall, point: { x: number; y: number }, radius: number): HallSeat | undefined {
  let best: HallSeat | undefined;
  let bestDistance = radius;
  for (const row of hall.rows) {
    if (Math.abs(rowCentre(row.row) - point.y) > radius) continue;
    for (const seat of row.seats) {
      const centre = seatCentre(seat);
      const distance = Math.hypot(centre.x - point.x, centre.y - point.y);
      if (distance <= bestDistance) {
        best = seat;
        bestDistance = distance;
      }
    }
  }
  return best;
}

/** The SVG path of the curved screen at the front of the hall. */
export function screenPath(hall: Hall): string {
  const { mid, half } = screenSpan(hall);
  return `M${mid - half} 46Q${mid} 18 ${mid + half} 46`;
}

/** The SVG path of the light below the screen. */
export function screenCone(hall: Hall): string {
  const { mid, half } = screenSpan(hall);
  return `M${mid - half} 46Q${mid} 18 ${mid + half} 46L${mid + half * 0.86} 78Q${mid} 56 ${mid - half * 0.86} 78Z`;
}

/** The centre and half the width of the screen in content units. */
function screenSpan(hall: Hall): { mid: number; half: number } {
  const { width } = contentSize(hall);
  return { mid: width / 2, half: Math.max(90, Math.min(width * 0.42, 420)) };
}

/** The baseline and the letter height of the hall's name, in content units. */
const nameBaseline = 66;
const nameSize = 22;
/** The font size of the name in pixels and its baseline within its box, as in hall-map.css. */
const nameFont = 12;
const nameAscent = '-75%';

/** The CSS transform that puts the hall's name below the screen. The name scales with the hall up to its font size. */
export function hallNameTransform(content: Size, { x, y, k }: View): string {
  const translation = `${x + (k * content.width) / 2}px, ${y + k * nameBaseline}px`;
  return `translate(${translation}) scale(${Math.min(1, (k * nameSize) / nameFont)}) translate(-50%, ${nameAscent})`;
}

/** The width of the column of row names in pixels, as in hall-map.css. */
export const railWidth = 28;

/** Viewport pixels that the fitted hall leaves free. The column of row names is on the left. */
const inset = { left: railWidth + 6, right: 12, top: 4, bottom: 12 };

/** The largest distance in pixels between an edge of an enlarged hall and the same edge of the viewport. */
const panMargin = 40;

/** The specification's rem in pixels: a tenth of a page that is 400 pixels wide. */
const rem = 40;
/** The scale at which seats are 1.1 rem apart (44 pixels), as the specification asks: large enough to tap. */
export const tapScale = (1.1 * rem) / pitch;
/** The largest scale: seats are 64 pixels apart. */
export const maxScale = 64 / pitch;

/**
 * The view that shows the whole hall at tapScale or less. In a higher viewport, 30 % of the spare height is above it.
 */
export function fit(content: Size, viewport: Size): View {
  const width = viewport.width - inset.left - inset.right;
  const height = viewport.height - inset.top - inset.bottom;
  const k = Math.min(width / content.width, height / content.height, tapScale);
  return { k, x: centredX(content.width * k, viewport), y: placedY(content.height * k, viewport) };
}

function centredX(contentWidth: number, viewport: Size): number {
  return inset.left + (viewport.width - inset.left - inset.right - contentWidth) / 2;
}

function placedY(contentHeight: number, viewport: Size): number {
  return inset.top + (viewport.height - inset.top - inset.bottom - contentHeight) * 0.3;
}

/**
 * The nearest allowed view: its scale is between fitted and maxScale, and the hall covers the viewport up to panMargin.
 */
export function clamp(view: View, content: Size, viewport: Size): View {
  const smallest = fit(content, viewport).k;
  const k = Math.min(Math.max(view.k, smallest), Math.max(maxScale, smallest));
  const width = content.width * k;
  const height = content.height * k;
  // Along each axis, content that fits into the viewport has a fixed place and larger content can be panned.
  const x =
    width <= viewport.width - inset.left - inset.right
      ? centredX(width, viewport)
      : clampOffset(view.x, width, viewport.width);
  const y =
    height <= viewport.height - inset.top - inset.bottom
      ? placedY(height, viewport)
      : clampOffset(view.y, height, viewport.height);
  return { k, x, y };
}

function clampOffset(offset: number, content: number, viewport: number): number {
  return Math.min(panMargin, Math.max(viewport - content - panMargin, offset));
}

/** Changes the scale to k and keeps what is at `point` (viewport pixels) in its place. */
export function zoomAt(view: View, point: { x: number; y: number }, k: number): View {
  const factor = k / view.k;
  return { k, x: point.x - (point.x - view.x) * factor, y: point.y - (point.y - view.y) * factor };
}

/** Pixels between a revealed box and the edges of the viewport; on the left, the edge of the column of row names. */
const revealMargin = 8;

/** Pans by the smallest distance that makes a box visible beside the column of row names. The scale is unchanged. */
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

/** Reports whether the scale is that of the whole hall, with a tolerance of 2 %. */
export function isFitted(view: View, content: Size, viewport: Size): boolean {
  return view.k <= fit(content, viewport).k * 1.02;
}
