import { afterPaint } from './after-paint';
import { nameplate } from './geometry';
import { type Box, clamp, comfortable, fit, isFitted, reveal, type Size, type View, zoomAt } from './view';

interface Parts {
  stage: HTMLElement;
  content: SVGElement;
  rail: HTMLElement;
  /** The name of the hall; it stands at the screen and never grows larger than text is. */
  name: HTMLElement;
  /** The frame on the minimap. */
  frame: SVGRectElement;
}

const settleMs = 700;

/**
 * Moves the picture of the hall. The view lives here and in the style of a few elements, never in React's state: a finger
 * moves a thousand seats without one of them being rendered.
 */
export class Stage {
  private view: View = { x: 0, y: 0, k: 1 };
  private size: Size = { width: 0, height: 0 };
  private settling: ReturnType<typeof setTimeout> | undefined;
  private callOff = () => {};

  constructor(
    private readonly parts: Parts,
    private readonly content: Size,
  ) {
    this.measure();
    this.show(fit(this.content, this.size));
  }

  get current(): Readonly<View> {
    return this.view;
  }

  /** Looks at the size of the stage anew; what was fitted stays fitted. */
  measure(): void {
    const before = this.size;
    const { clientWidth, clientHeight } = this.parts.stage;
    if (clientWidth === before.width && clientHeight === before.height) return;
    const fitted = before.width === 0 || isFitted(this.view, this.content, before);
    this.size = { width: clientWidth, height: clientHeight };
    this.show(fitted ? fit(this.content, this.size) : clamp(this.view, this.content, this.size));
  }

  moveTo(x: number, y: number): void {
    this.show(clamp({ ...this.view, x, y }, this.content, this.size));
    this.moving();
  }

  moveBy(x: number, y: number): void {
    this.moveTo(this.view.x + x, this.view.y + y);
  }

  /** Enlarges to k around a point of the stage. */
  zoomTo(k: number, point: { x: number; y: number } = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    const limited = clamp({ ...this.view, k }, this.content, this.size).k;
    this.show(clamp(zoomAt(this.view, point, limited), this.content, this.size));
    this.moving();
  }

  zoomBy(factor: number): void {
    this.glide();
    this.zoomTo(this.view.k * factor);
  }

  fitAll(): void {
    this.glide();
    this.show(fit(this.content, this.size));
    this.moving();
  }

  /** Makes seats around a point of the stage comfortable to touch, where they are not; `box` stays in sight. */
  approach(point: { x: number; y: number }, box: Box): void {
    if (this.view.k >= comfortable * 0.7) return;
    this.afterPaint(() => {
      this.glide();
      this.zoomTo(comfortable, point);
      this.show(clamp(reveal(this.view, box, this.size), this.content, this.size));
    });
  }

  /** Brings a part of the content into sight. */
  reveal(box: Box): void {
    const next = clamp(reveal(this.view, box, this.size), this.content, this.size);
    if (next.x === this.view.x && next.y === this.view.y) return;
    this.afterPaint(() => {
      this.glide();
      this.show(next);
      this.moving();
    });
  }

  /** A point of the window in units of the content. */
  toContent(clientX: number, clientY: number): { x: number; y: number } {
    const box = this.parts.stage.getBoundingClientRect();
    return {
      x: (clientX - box.left - this.view.x) / this.view.k,
      y: (clientY - box.top - this.view.y) / this.view.k,
    };
  }

  /** A point of the window in pixels of the stage. */
  toStage(clientX: number, clientY: number): { x: number; y: number } {
    const box = this.parts.stage.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** A finger has taken over: nothing glides any more. */
  hold(): void {
    delete this.parts.stage.dataset.gliding;
  }

  stop(): void {
    clearTimeout(this.settling);
    this.callOff();
  }

  /** What was tapped is painted first: drawing a large hall anew takes a slow phone longer than a tap should. */
  private afterPaint(act: () => void): void {
    this.callOff();
    this.callOff = afterPaint(act);
  }

  private glide(): void {
    this.parts.stage.dataset.gliding = 'true';
  }

  private moving(): void {
    this.parts.stage.dataset.moving = 'true';
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      delete this.parts.stage.dataset.moving;
      delete this.parts.stage.dataset.gliding;
    }, settleMs);
  }

  private show(view: View): void {
    this.view = view;
    const { stage, content, rail, name, frame } = this.parts;
    content.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    name.style.transform = nameplate(this.content, view);
    // On the rail alone: a property of the stage would be inherited, and every move would restyle every seat.
    rail.hidden = false;
    rail.style.setProperty('--y', `${view.y}px`);
    rail.style.setProperty('--k', String(view.k));
    stage.toggleAttribute('data-fitted', isFitted(view, this.content, this.size));
    frame.setAttribute('x', String(-view.x / view.k));
    frame.setAttribute('y', String(-view.y / view.k));
    frame.setAttribute('width', String(this.size.width / view.k));
    frame.setAttribute('height', String(this.size.height / view.k));
  }
}
