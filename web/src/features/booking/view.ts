/** A picture of the hall on the stage: content is moved by x, y (pixels) and enlarged k times. */
export interface View {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The width of the row rail in pixels, as in hall-map.css. */
export const rail = 28;

/** Pixels of the stage that the fitted hall leaves free; the row rail stands on the left. */
const inset = { left: rail + 6, right: 12, top: 4, bottom: 12 };

/** How far the edge of an enlarged hall can be moved inwards, in pixels. */
const margin = 40;

/** Grid units from seat to seat. */
export const pitch = 40;
/** The specification's rem in pixels: a tenth of a page 400 wide. */
const rem = 40;
/** Seats stand 1.1 rem apart where the hall has room for it: 44 pixels, which is comfortable to touch. */
export const comfortable = (1.1 * rem) / pitch;
export const maxZoom = 64 / pitch;

/** The whole hall, never larger than comfortable; where the stage is higher, the screen stands in its upper part. */
export function fit(content: Size, stage: Size): View {
  const width = stage.width - inset.left - inset.right;
  const height = stage.height - inset.top - inset.bottom;
  const k = Math.min(width / content.width, height / content.height, comfortable);
  return { k, x: across(content.width * k, stage), y: down(content.height * k, stage) };
}

function across(content: number, stage: Size): number {
  return inset.left + (stage.width - inset.left - inset.right - content) / 2;
}

function down(content: number, stage: Size): number {
  return inset.top + (stage.height - inset.top - inset.bottom - content) * 0.3;
}

/** The nearest view that shows the hall and not the void: no further out than fitted, no further away than its edge. */
export function clamp(view: View, content: Size, stage: Size): View {
  const smallest = fit(content, stage).k;
  const k = Math.min(Math.max(view.k, smallest), Math.max(maxZoom, smallest));
  const width = content.width * k;
  const height = content.height * k;
  // What is smaller than the stage has its place; what is larger can be moved until its edge stands clear.
  const x = width <= stage.width - inset.left - inset.right ? across(width, stage) : hold(view.x, width, stage.width);
  const y =
    height <= stage.height - inset.top - inset.bottom ? down(height, stage) : hold(view.y, height, stage.height);
  return { k, x, y };
}

function hold(at: number, content: number, stage: number): number {
  return Math.min(margin, Math.max(stage - content - margin, at));
}

/** Enlarges to k around a point of the stage, which stays where it is. */
export function zoomAt(view: View, point: { x: number; y: number }, k: number): View {
  const by = k / view.k;
  return { k, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by };
}

/** A part of the content, in its units. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pixels between what is brought into sight and the edge; on the left it is the edge of the row rail. */
const clear = 8;

/** Moves as little as needed for a part of the content to stand clear of the row rail and of the edges of the stage. */
export function reveal(view: View, box: Box, stage: Size): View {
  const move = (from: number, to: number, low: number, high: number) =>
    from < low ? low - from : to > high ? Math.max(high - to, low - from) : 0;
  const x = (at: number) => view.x + at * view.k;
  const y = (at: number) => view.y + at * view.k;
  return {
    k: view.k,
    x: view.x + move(x(box.left), x(box.right), rail + clear, stage.width - clear),
    y: view.y + move(y(box.top), y(box.bottom), clear, stage.height - clear),
  };
}

export function isFitted(view: View, content: Size, stage: Size): boolean {
  return view.k <= fit(content, stage).k * 1.02;
}
