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

/** Free space around the hall when it is moved to its edge, in pixels. */
const margin = 24;

/** Grid units from seat to seat. A seat is comfortable to touch when this is 44 pixels on the screen. */
export const pitch = 40;
export const comfortable = 44 / pitch;
export const maxZoom = 64 / pitch;

/** The whole hall in the middle of the stage, never larger than comfortable. */
export function fit(content: Size, stage: Size): View {
  const k = Math.min(stage.width / content.width, stage.height / content.height, comfortable);
  return centred(content, stage, k);
}

function centred(content: Size, stage: Size, k: number): View {
  return { k, x: (stage.width - content.width * k) / 2, y: (stage.height - content.height * k) / 2 };
}

/** The nearest view that shows the hall and not the void: no further out than fitted, no further away than its edge. */
export function clamp(view: View, content: Size, stage: Size): View {
  const smallest = fit(content, stage).k;
  const k = Math.min(Math.max(view.k, smallest), Math.max(maxZoom, smallest));
  return {
    k,
    x: hold(view.x, content.width * k, stage.width),
    y: hold(view.y, content.height * k, stage.height),
  };
}

function hold(at: number, content: number, stage: number): number {
  // What is smaller than the stage stands in its middle.
  if (content <= stage) return (stage - content) / 2;
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
