import { yuan } from '../../shop/price';
import { seatCenter } from './geometry';
import { areaIndex, type Hall, type HallSeat, type SeatRow, sameRow } from './hall';

const svg = 'http://www.w3.org/2000/svg';

/**
 * The outline of a seat: a path that starts at an offset from the seat's center and continues relative to it. The
 * position is part of the path, because with a `transform` on each of a thousand seats the browser would have to sort a
 * thousand layers in each frame.
 */
interface Shape {
  x: number;
  y: number;
  path: string;
}

/**
 * The outlines of single seats and of the halves of couples seats. Their corners are quadratic curves, because the
 * browser converts each arc to several curves.
 *
 * The halves of a couples seat are open on the side where they meet. They overlap there, because otherwise a thin line
 * of the background would show between them.
 */
export const shapes = {
  single: { x: -12, y: -14, path: 'h24q4 0 4 4v12q0 12-12 12h-8q-12 0-12-12v-12q0-4 4-4z' },
  left: { x: 21, y: -14, path: 'h-33q-4 0-4 4v12q0 12 12 12h25' },
  right: { x: -20, y: -14, path: 'h32q4 0 4 4v12q0 12-12 12h-24' },
} satisfies Record<string, Shape>;
const tick: Shape = { x: -6.5, y: -1, path: 'l4.5 4.5l8.5-9' };
/**
 * The one tick of a chosen couples seat. It is positioned relative to the center of the right half, so that it is in
 * the middle of both halves.
 */
const pairTick: Shape = { ...tick, x: tick.x - 20 };
export const heart: Shape = {
  x: -20,
  y: 7,
  path: 'c-6-4-8-6.5-8-9.5a4 4 0 0 1 8-1.5 4 4 0 0 1 8 1.5c0 3-2 5.5-8 9.5z',
};
const areaColors = 6;

/**
 * The seats of a hall as SVG elements inside `root`. They are created without React, so that a tap marks its seat
 * before React renders the page, and because this draws a hall faster for the first time: 6 ms for 1,000 seats against
 * 10 ms with memoized React elements and 8 ms with `innerHTML` (best of 45 drawings, headless Chromium 153, layout
 * included).
 */
export class SeatLayer {
  private drawn: Hall | undefined;
  private readonly ticks = new Map<string, SVGElement>();
  /** The seat that the Tab key reaches. */
  private focused: string | undefined;

  constructor(private readonly root: SVGGElement) {}

  /**
   * Draws the rows that differ from those of the last drawn hall, marks the chosen seats and sets the seat that the Tab
   * key reaches.
   */
  show(hall: Hall, picked: readonly string[], focus: string | undefined): void {
    if (hall !== this.drawn) this.draw(hall);
    for (const [id, mark] of this.ticks) {
      if (picked.includes(id) && mark.isConnected) continue;
      this.ticks.delete(id);
      mark.remove();
      this.setPicked(hall, id, false);
    }
    for (const id of picked) if (!this.ticks.has(id)) this.pick(hall, id);
    this.setTabStop(focus);
  }

  /**
   * Marks the seats that are offered as a replacement for chosen seats that were sold. Call it after `show`, which may
   * redraw seats.
   */
  offer(ids: readonly string[]): void {
    for (const cell of this.root.querySelectorAll('.seat--offered')) cell.classList.remove('seat--offered');
    for (const id of ids) this.cell(id)?.classList.add('seat--offered');
  }

  /** Moves the keyboard focus to a seat. */
  focus(id: string): void {
    this.setTabStop(id);
    this.cell(id)?.focus({ preventScroll: true });
  }

  private draw(hall: Hall): void {
    const before = this.drawn?.rows ?? [];
    const active = document.activeElement;
    const keyboard = active ? this.seatOf(active)?.id : undefined;
    this.drawn = hall;
    if (before.length !== hall.rows.length) {
      this.root.replaceChildren(...hall.rows.map((row) => drawRow(element('g', { role: 'row' }), hall, row)));
      this.focused = undefined;
    } else {
      for (const [i, row] of hall.rows.entries()) {
        if (sameRow(before[i]!, row)) continue;
        drawRow(this.root.children[i]!, hall, row);
        if (row.seats.some((seat) => seat.id === this.focused)) this.focused = undefined;
      }
    }
    // A redrawn row has new elements. If the focused element was removed, focus the new element of the same seat.
    if (keyboard !== undefined && !active?.isConnected) this.focus(keyboard);
  }

  private setTabStop(id: string | undefined): void {
    if (id === this.focused) return;
    if (this.focused !== undefined) this.cell(this.focused)?.removeAttribute('tabindex');
    this.focused = id;
    if (id !== undefined) this.cell(id)?.setAttribute('tabindex', '0');
  }

  private pick(hall: Hall, id: string): void {
    const seat = hall.byId.get(id);
    const cell = this.cell(id);
    if (!seat || !cell) return;
    this.setPicked(hall, id, true);
    const mark = element('path', { class: 'seat__tick', d: tickOf(seat), 'aria-hidden': 'true' });
    cell.parentElement?.append(mark);
    this.ticks.set(id, mark);
  }

  private setPicked(hall: Hall, id: string, picked: boolean): void {
    const seat = hall.byId.get(id);
    const cell = this.cell(id);
    if (!seat || !cell) return;
    cell.classList.toggle('seat--picked', picked);
    cell.setAttribute('aria-label', seatName(seat, picked));
    if (seat.available) cell.setAttribute('aria-selected', String(picked));
    if (seat.half === 'right')
      this.root.querySelector(`[data-heart="${CSS.escape(id)}"]`)?.toggleAttribute('hidden', picked);
  }

  /** The seat that an element shows; undefined if it is not the element of a seat. */
  seatOf(element: Element): HallSeat | undefined {
    const { parentElement: row } = element;
    if (row?.parentElement !== (this.root as Element)) return undefined;
    return this.drawn?.rows[indexOf(row)]?.seats[indexOf(element)];
  }

  /**
   * The element of a seat. It is found by its position in the row, because a query by id would search a thousand
   * elements.
   */
  private cell(id: string): SVGElement | undefined {
    const seat = this.drawn?.byId.get(id);
    if (!seat) return undefined;
    const at = this.drawn!.rows.findIndex(({ row }) => row === seat.row);
    const cells = this.root.children[at]?.children;
    return cells?.[this.drawn!.rows[at]!.seats.indexOf(seat)] as SVGElement | undefined;
  }
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS(svg, name) as SVGElement;
  for (const attribute in attributes) made.setAttribute(attribute, attributes[attribute]!);
  return made;
}

/** The index of an element among its siblings. */
function indexOf(child: Element): number {
  return Array.prototype.indexOf.call(child.parentElement!.children, child);
}

/** Fills the element of a row: first one element per seat, in order, then the hearts of its couples seats. */
function drawRow<E extends Element>(group: E, hall: Hall, row: SeatRow): E {
  const hearts = row.seats.filter((seat) => seat.half === 'right' && seat.partner !== undefined);
  group.setAttribute('aria-label', `${row.name}排`);
  group.replaceChildren(...row.seats.map((seat) => drawSeat(hall, seat)), ...hearts.map(drawHeart));
  return group;
}

function drawSeat(hall: Hall, seat: HallSeat): SVGElement {
  const area = areaIndex(hall, seat.area);
  const look = `seat${stateClass(seat)}${area < 0 ? '' : ` seat--area-${area % areaColors}`}`;
  const drawn = template(look, seat.available).cloneNode() as SVGElement;
  drawn.setAttribute('aria-label', seatName(seat, false));
  drawn.setAttribute('d', outline(shapes[seat.partner ? (seat.half ?? 'single') : 'single'], seat));
  return drawn;
}

/** Seat elements without name and position, by their classes. Cloning one is faster than setting each attribute. */
const templates = new Map<string, SVGElement>();

function template(look: string, available: boolean): SVGElement {
  const known = templates.get(look);
  if (known) return known;
  const made = element('path', {
    role: 'gridcell',
    class: look,
    ...(available ? { 'aria-selected': 'false' } : { 'aria-disabled': 'true' }),
  });
  templates.set(look, made);
  return made;
}

function stateClass(seat: HallSeat): string {
  if (seat.unsold) return ' seat--unsold';
  return seat.available ? '' : ' seat--sold';
}

function drawHeart(seat: HallSeat): SVGElement {
  return element('path', {
    class: `seat__heart${seat.available ? '' : ' seat__heart--sold'}`,
    'data-heart': seat.id,
    d: outline(heart, seat),
    'aria-hidden': 'true',
  });
}

/** The name of a seat for screen readers: `5排6座，可选，42.90元`. */
function seatName(seat: HallSeat, picked: boolean): string {
  if (seat.unsold) return `${seat.name}，已停售`;
  if (!seat.available) return `${seat.name}，已售`;
  return `${seat.name}${seat.partner ? '，情侣座' : ''}，${picked ? '已选' : '可选'}，${yuan(seat.price)}元`;
}

/** The path of the tick of a selected seat; empty for the left half of a couples seat. */
function tickOf(seat: HallSeat): string {
  if (seat.partner === undefined) return outline(tick, seat);
  return seat.half === 'right' ? outline(pairTick, seat) : '';
}

function outline(shape: Shape, seat: HallSeat): string {
  return outlineAt(shape, seatCenter(seat));
}

/** The SVG path of a shape around a center. */
export function outlineAt({ x, y, path }: Shape, center: { x: number; y: number }): string {
  return `M${center.x + x} ${center.y + y}${path}`;
}
