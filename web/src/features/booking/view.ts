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

/** Pixels of the stage that the fitted hall leaves free; the row rail stands on the left. */
const inset = { left: 34, right: 12, top: 4, bottom: 12 };

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

/** Moves as little as needed for a point of the content to stand clear of the edge of the stage. */
export function reveal(view: View, point: { x: number; y: number }, stage: Size, clear = 40): View {
  const move = (at: number, length: number) =>
    at < clear ? clear - at : at > length - clear ? length - clear - at : 0;
  return {
    k: view.k,
    x: view.x + move(view.x + point.x * view.k, stage.width),
    y: view.y + move(view.y + point.y * view.k, stage.height),
  };
}

export function isFitted(view: View, content: Size, stage: Size): boolean {
  return view.k <= fit(content, stage).k * 1.02;
}
